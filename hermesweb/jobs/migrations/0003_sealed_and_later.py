from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_place")]

    operations = [
        migrations.AddField("job", "sealed", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AddField("job", "not_before", models.DateTimeField(null=True)),
    ]
