"""Summaries that scripts ask for, and the way to the logs of one state."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("operations", "0004_roles_and_tokens"), ("papers", "0007_changes")]

    operations = [
        migrations.CreateModel(
            name="SummaryRequest",
            fields=[
                ("id", models.AutoField(primary_key=True, serialize=False)),
                (
                    "log",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summary_requests",
                        to="operations.crawllog",
                        verbose_name="日志",
                    ),
                ),
                (
                    "paper",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="papers.paper",
                        verbose_name="论文",
                    ),
                ),
            ],
            options={
                "verbose_name": "总结请求",
                "verbose_name_plural": "总结请求",
                "db_table": "summary_requests",
            },
        ),
        migrations.AddIndex(
            model_name="crawllog",
            index=models.Index(fields=["status", "-started_at"], name="ix_crawl_logs_status"),
        ),
    ]
