import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("activity", "0001_initial"),
        ("accounts", "0002_people_and_access"),
    ]

    operations = [
        migrations.CreateModel(
            name="Chain",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(default=0)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("removed", models.PositiveBigIntegerField(default=0)),
                ("removed_digest", models.CharField(blank=True, max_length=64)),
                ("looked_on", models.DateField(null=True)),
            ],
        ),
        migrations.AddField("activity", "digest", models.CharField(default="", max_length=64), preserve_default=False),
        migrations.AddField("activity", "number", models.PositiveBigIntegerField(null=True)),
        migrations.AlterField(
            "activity",
            "person",
            models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="activities",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
