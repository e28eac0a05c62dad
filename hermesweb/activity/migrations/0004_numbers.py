from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("activity", "0003_seal")]

    operations = [
        migrations.AlterField("activity", "number", models.PositiveBigIntegerField(unique=True)),
        migrations.AlterModelOptions("activity", {"ordering": ["-number"]}),
        migrations.AddIndex(
            "activity", models.Index(fields=["home", "profile", "-number"], name="activity_of_profile")
        ),
    ]
