"""Every address. The profile is part of it: what a page shows never depends on a cookie."""

from allauth.account import views as allauth
from django.urls import path, reverse_lazy

from hermesweb import views
from hermesweb.accounts import factor_views as factor
from hermesweb.accounts import opening
from hermesweb.accounts import own_views as own
from hermesweb.accounts import people_views as people
from hermesweb.accounts import views as accounts
from hermesweb.accounts.access import open_page, page
from hermesweb.activity import views as activity
from hermesweb.health import health
from hermesweb.jobs import views as jobs
from hermesweb.privacy import clear_confirm, clear_views, report_views, store_views, trace_views
from memory import change_views as change
from memory import file_views as memory_file
from memory import history_views as memory_history
from memory import queue_views as queue
from memory import views as memory
from sessions import deletion_views as deleting
from sessions import export_views as exports
from sessions import finding_views as finding
from sessions import left_over_views as left_overs
from sessions import reading_views as reading
from sessions import views as sessions

ACCOUNT = reverse_lazy("account")
PROFILE = "homes/<str:home>/<str:profile>/"

urlpatterns = [
    path("", views.start, name="start"),
    path("homes/", views.homes, name="homes"),
    path("health/", health, name="health"),
    path("activity/", activity.activity, name="activity"),
    path("activity/file/", activity.activity_file, name="activity_file"),
    path("activity/check/", activity.check_activity, name="check_activity"),
    path("jobs/<uuid:job_id>/", jobs.job, name="job"),
    path("jobs/<uuid:job_id>/cancel/", jobs.cancel_job, name="cancel_job"),
    path("jobs/<uuid:job_id>/continue/", jobs.continue_job, name="continue_job"),
    path(PROFILE, views.overview, name="overview"),
    path(PROFILE + "measure/", views.measure, name="measure"),
    path(PROFILE + "copy/", views.make_copy, name="make_copy"),
    path(PROFILE + "copy/remove/", views.remove_copy, name="remove_copy"),
    path(PROFILE + "memory/", memory.memory, name="memory"),
    path(PROFILE + "memory/history/", memory_history.memory_history, name="memory_history"),
    path(PROFILE + "memory/settings/", memory_history.memory_settings, name="memory_settings"),
    path(PROFILE + "memory/save/", change.save_entry, name="save_entry"),
    path(PROFILE + "memory/save-several/", change.save_several, name="save_several"),
    path(PROFILE + "memory/count/", change.count_entry, name="count_entry"),
    path(PROFILE + "memory/delete/", change.remove_entries, name="remove_entries"),
    path(PROFILE + "memory/undo/", change.undo_removal, name="undo_removal"),
    path(PROFILE + "memory/move/", change.move_entry, name="move_entry"),
    path(PROFILE + "memory/clear/<str:target>/", memory_file.clear_memory, name="clear_memory"),
    path(PROFILE + "memory/tidy/<str:target>/", memory_file.tidy_memory, name="tidy_memory"),
    path(PROFILE + "memory/download/<str:target>/", memory.download_memory, name="download_memory"),
    path(PROFILE + "memory/beside/<str:name>/", memory_file.delete_side_file, name="delete_side_file"),
    path(PROFILE + "pending/", queue.pending, name="pending"),
    path(PROFILE + "pending/decide/", queue.decide, name="decide"),
    path("pending/", queue.all_pending, name="all_pending"),
    path(PROFILE + "sessions/", sessions.sessions, name="sessions"),
    path(PROFILE + "search/", sessions.search, name="search"),
    path(PROFILE + "sessions/<str:session>/", reading.conversation, name="conversation"),
    path(PROFILE + "sessions/<str:session>/prompt/", reading.stored_prompt, name="stored_prompt"),
    path(PROFILE + "sessions/<str:session>/messages/<str:message>/", reading.message, name="message"),
    path(PROFILE + "export/", exports.export, name="export"),
    path(PROFILE + "export/file/", exports.export_file, name="export_file"),
    path(PROFILE + "trace/", trace_views.trace, name="trace"),
    path(PROFILE + "trace/<uuid:job>/", trace_views.trace_result, name="trace_result"),
    path(PROFILE + "trace/<uuid:job>/show/", trace_views.show_hit, name="show_hit"),
    path(PROFILE + "trace/<uuid:job>/phrase/", trace_views.name_phrase, name="name_phrase"),
    path(PROFILE + "trace/<uuid:job>/forget/", trace_views.forget_trace, name="forget_trace"),
    path(PROFILE + "deletion/", deleting.plan_deletion, name="plan_deletion"),
    path(PROFILE + "deletion/<uuid:draft>/", deleting.deletion, name="deletion"),
    path(PROFILE + "left-over/", left_overs.left_over, name="left_over"),
    path("jobs/<uuid:job_id>/finish/", deleting.finish_deletion, name="finish_deletion"),
    path(PROFILE + "findings/", finding.findings, name="findings"),
    path(PROFILE + "findings/look/", finding.look_for_findings, name="look_for_findings"),
    path(PROFILE + "findings/dismiss/", finding.dismiss_finding, name="dismiss_finding"),
    path(PROFILE + "findings/<int:finding>/", finding.unmask, name="unmask"),
    path(PROFILE + "stores/", store_views.stores, name="stores"),
    path(PROFILE + "stores/<str:store>/", store_views.store, name="store"),
    # clearing
    path("clear/", clear_views.clear_start, name="clear_start"),
    path(PROFILE + "clear/", clear_views.clear, name="clear"),
    path(PROFILE + "clear/choose/", clear_views.clear_choose, name="clear_choose"),
    path(PROFILE + "clear/remote/", clear_views.clear_remote, name="clear_remote"),
    path(PROFILE + "clear/hermes/", clear_views.clear_hermes, name="clear_hermes"),
    path(PROFILE + "clear/export/", clear_views.clear_export, name="clear_export"),
    path(PROFILE + "clear/confirm/", clear_confirm.clear_confirm, name="clear_confirm"),
    path(PROFILE + "reports/", report_views.reports, name="reports"),
    path(PROFILE + "reports/<uuid:report>/", report_views.report, name="report"),
    path(PROFILE + "reports/<uuid:report>/file/<str:form>/", report_views.report_file, name="report_file"),
    path(PROFILE + "reports/<uuid:report>/check/", report_views.check_again, name="check_again"),
    path(PROFILE + "reports/<uuid:report>/finish/", report_views.finish_clearing, name="finish_clearing"),
    path(PROFILE + "reports/<uuid:report>/delete/", report_views.delete_report, name="delete_report"),
    # people and sign-in
    path("first/", accounts.first_link_needed, name="first_link_needed"),
    path("first/<str:token>/", accounts.first_link, name="first_link"),
    path("join/<str:token>/", accounts.join, name="join"),
    path("people/", people.people_list, name="people"),
    path("people/invite/", people.invite, name="invite"),
    path("people/household/", people.household, name="household"),
    path("people/<int:person>/", people.person, name="person"),
    path("people/<int:person>/link/", people.new_link, name="new_link"),
    path("people/<int:person>/switch/", people.switch_person, name="switch_person"),
    path("people/<int:person>/remove/", people.remove_person, name="remove_person"),
    path(PROFILE + "open/", opening.open_with_notice, name="open_with_notice"),
    path("notices/<int:notice>/", opening.dismiss_notice, name="dismiss_notice"),
    path("account/", own.account, name="account"),
    path("account/browsers/", own.sign_browsers_out, name="sign_browsers_out"),
    path("account/second-factor/", own.second_factor, name="mfa_index"),
    path("account/second-factor/app/", factor.add_app, name="mfa_activate_totp"),
    path("account/second-factor/app/remove/", factor.remove_app, name="mfa_deactivate_totp"),
    path("account/second-factor/codes/", factor.show_codes, name="mfa_view_recovery_codes"),
    path("account/second-factor/codes/new/", factor.make_codes, name="mfa_generate_recovery_codes"),
    path("account/second-factor/passkeys/", factor.add_passkey, name="mfa_add_webauthn"),
    path("account/second-factor/passkeys/<int:pk>/", factor.remove_passkey, name="mfa_remove_webauthn"),
    path("account/choose-password/", accounts.choose_password, name="choose_password"),
    path(
        "account/password/",
        page(allauth.PasswordChangeView.as_view(template_name="change_password.html", success_url=ACCOUNT)),
        name="account_change_password",
    ),
    path(
        "account/confirm/",
        page(allauth.ReauthenticateView.as_view(template_name="confirm.html")),
        name="account_reauthenticate",
    ),
    path("sign-in/code/", factor.ask_for_code, name="mfa_authenticate"),
    path("sign-in/passkey/", open_page(accounts.SignInWithPasskey.as_view()), name="mfa_login_webauthn"),
    path("sign-in/", open_page(accounts.SignIn.as_view()), name="account_login"),
    path("sign-out/", page(accounts.SignOut.as_view()), name="account_logout"),
]

handler400 = "hermesweb.views.bad_request"
handler403 = "hermesweb.views.forbidden"
handler404 = "hermesweb.views.not_found"
handler429 = "hermesweb.views.too_many"  # not Django's: allauth looks for it
handler500 = "hermesweb.views.fault"
