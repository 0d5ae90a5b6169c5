"""Names of the arXiv categories that papers of this field mostly have. Source: https://arxiv.org/category_taxonomy."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_NAMES: dict[str, Promise] = {
    "cs.AI": _("人工智能"),
    "cs.AR": _("硬件体系结构"),
    "cs.CL": _("计算与语言"),
    "cs.CR": _("密码学与安全"),
    "cs.CV": _("计算机视觉"),
    "cs.CY": _("计算机与社会"),
    "cs.DB": _("数据库"),
    "cs.DC": _("分布式计算"),
    "cs.GR": _("图形学"),
    "cs.HC": _("人机交互"),
    "cs.IR": _("信息检索"),
    "cs.LG": _("机器学习"),
    "cs.MA": _("多智能体系统"),
    "cs.MM": _("多媒体"),
    "cs.NE": _("神经与进化计算"),
    "cs.RO": _("机器人"),
    "cs.SD": _("声音"),
    "cs.SE": _("软件工程"),
    "eess.AS": _("音频与语音处理"),
    "eess.IV": _("图像与视频处理"),
    "math.OC": _("优化与控制"),
    "q-bio.QM": _("定量方法"),
    "stat.ML": _("统计机器学习"),
}


def category_name(code: str) -> str:
    """Return the name of a category in the reader's language; empty for one not known here."""
    name = _NAMES.get(code)
    return str(name) if name else ""
