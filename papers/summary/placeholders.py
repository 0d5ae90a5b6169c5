"""Words that stand where a text should be: reports of failure, and ways to say nothing."""

import re

from papers.text import fold

_MARKS = re.compile(r"[^\w]|_")

_FAILURES = frozenset(
    "na none null nil undefined unknown tbd todo placeholder unavailable nocontent empty".split()  # noqa: SIM905
)
_FAILURE_FORMS = re.compile(
    "(?:"
    "[a-z0-9]{0,60}(?:failed|failure|unavailable|notavailable|error|errors)"
    "|(?:sorry)?(?:i)?(?:failedto|unableto|cannot|cant|couldnot|couldnt)"
    "(?:generate|summari|extract|analy|process|parse|access|provide|complete)[a-z0-9]{0,60}"
    "|(?:抱歉|对不起)?我?(?:无法|未能|不能)(?:生成|提取|分析|总结|获取|处理|解析|访问|提供)"
    "(?:该|此|本|这篇|这个|您的)?(?:论文|文章|摘要|总结|内容|信息|动机|方法|结果|结论|请求|的|和|与)*"
    "|(?:论文|文章|摘要|总结|动机|方法|结果|结论|问题|内容|信息|核心思想|标题|翻译|模型|系统)*"
    "(?:生成|提取|分析|解析|获取|处理|总结|翻译|调用)?(?:失败|出错|错误|不可用)"
    ")"
)
_FAILURE_HEAD = re.compile(r"\s*(?:error|错误|exception|traceback)\s*[:：]", re.I)

_EMPTY = frozenset(
    "无 暂无 没有 不详 未知 略 同上 空 待定 待补充 待完善 未提供 未提及 未说明 未涉及 未给出 不适用 不清楚 "  # noqa: SIM905
    "省略 暂缺 见上 如上 见原文 见论文".split()
)
_EMPTY_FORMS = re.compile(
    "(?:本文|论文|文中|原文|作者|摘要|该文)?(?:并|暂|尚)?(?:无|未|没有)(?:有)?(?:明确|详细|具体)?"
    "(?:提及|说明|提供|给出|涉及|讨论|描述|报告|公布|信息|内容|数据|描述|相关信息|相关内容|结果|方法)"
    "(?:具体)?(?:的)?(?:信息|内容|结果|方法|细节|数据|局限|问题|目标)?"
)
_HOLLOW_FORMS = re.compile(
    "(?:本文|论文|文章|作者|该文|本论文|我们|研究者)?(?:中)?(?:主要)?(?:提出|介绍|研究|探讨|讨论|使用|采用|设计|解决)了?"
    "(?:一种|一个|一些|某种|某个|若干|这个|该)?(?:全新|新|新颖|有效|创新|相关|重要)?的?"
    "(?:方法|模型|框架|问题|算法|系统|方案|技术|思路|内容)"
)


def bare(text: str) -> str:
    """Return a text folded, without any punctuation, for comparing what it says."""
    return _MARKS.sub("", fold(text))


def is_failure(text: str) -> bool:
    """Tell whether a text does nothing but report a failure ("Error", "N/A", "Summary generation failed")."""
    words = bare(text)
    return words in _FAILURES or bool(_FAILURE_FORMS.fullmatch(words)) or bool(_FAILURE_HEAD.match(text))


def says_nothing(text: str) -> bool:
    """Tell whether a text holds no statement: no letters at all, 无, 暂无, 未提及."""
    words = bare(text)
    return not words or words in _EMPTY or _EMPTY_FORMS.fullmatch(words) is not None


def fits_any_paper(text: str) -> bool:
    """Tell whether a text is a sentence that is true of any paper (本文提出了一种方法。)."""
    return _HOLLOW_FORMS.fullmatch(bare(text)) is not None


def is_missing(text: str) -> bool:
    """Tell whether a text may as well be absent."""
    return is_failure(text) or says_nothing(text)
