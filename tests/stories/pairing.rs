//! Which request an answer, a retry or a cancellation belongs to.

use super::{AGREED, INITIALIZE, INITIALIZED, META, assert_told, bare, brief, labelled, stateless};

#[test]
fn equal_ids_on_both_sides_are_told_apart_by_the_results() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/call","params":{"name":"t"}"#,
        r#""id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}"#,
        r#""id":1,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}"#,
        r#""id":1,"result":{"content":[]}"#,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 1 c>s req tools/call op",
            "5 1 s>c req sampling/createMessage op",
            "6 1 c>s res sampling/createMessage op #5",
            "7 1 s>c res tools/call op #4",
        ],
    );
    assert_eq!(run.messages[4].needs, ["+client.sampling"]);
}

#[test]
fn an_error_for_one_of_two_equal_ids_is_decided_by_the_answer_that_follows() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/call","params":{"name":"t"}"#,
        r#""id":1,"method":"roots/list""#,
        r#""id":1,"error":{"code":-32601,"message":"no roots"}"#,
        r#""id":1,"result":{"content":[]}"#,
    ]);
    let told = brief(&run);
    assert_eq!(told[5], "6 1 c>s res roots/list op #5");
    assert_eq!(told[6], "7 1 s>c res tools/call op #4");
}

#[test]
fn an_answer_may_stand_before_its_request() {
    let run =
        bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":1,"result":{"tools":[]}"#, r#""id":1,"method":"tools/list""#]);
    let told = brief(&run);
    assert_eq!(told[3].trim_end_matches('~'), "4 1 s>c res tools/list op #5");
    assert_eq!(told[4], "5 1 c>s req tools/list op");
    assert_eq!(run.messages[4].answered_by, Some(4));
    assert_eq!(run.summary.unanswered, 0);
}

#[test]
fn late_double_and_orphan_answers_are_marked() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/list""#,
        r#""method":"notifications/cancelled","params":{"requestId":1}"#,
        r#""id":1,"result":{"tools":[]}"#,
        r#""id":1,"result":{"tools":[]}"#,
        r#""id":99,"result":{"prompts":[]}"#,
    ]);
    let told = brief(&run);
    assert_eq!(told[4], "5 1 c>s ntf notifications/cancelled op");
    assert_eq!(told[5], "6 1 s>c res tools/list op #4");
    assert_eq!(told[6], "7 1 s>c res tools/list op #4");
    assert!(run.messages[6].flags.contains(&"duplicate-answer"));
    assert_eq!(told[7], "8 1 s>c res prompts/list op~");
    assert!(run.messages[7].flags.contains(&"orphan"));
}

#[test]
fn a_retry_continues_what_asked_for_input() {
    let call = format!(r#""id":1,"method":"tools/call","params":{{"name":"t",{META}}}"#);
    let retry = format!(
        r#""id":2,"method":"tools/call","params":{{"name":"t","requestState":"s1","inputResponses":{{"who":{{"action":"accept"}}}},{META}}}"#
    );
    let run = bare(&[
        &call,
        r#""id":1,"result":{"resultType":"input_required","requestState":"s1","inputRequests":{"who":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{}}}}}"#,
        &retry,
        r#""id":2,"result":{"resultType":"complete","content":[]}"#,
    ]);
    assert_eq!(
        brief(&run),
        [
            "1 1 c>s req tools/call op",
            "2 1 s>c res tools/call op #1",
            "3 1 c>s req tools/call op",
            "4 1 s>c res tools/call op #3"
        ]
    );
    assert_eq!(run.embedded, [(2, "elicitation/create".to_owned()), (3, "elicitation/create".to_owned())]);
    assert_eq!(run.continues, [(3, 1)]);
}

#[test]
fn only_the_owner_of_a_request_can_cancel_it() {
    let run = labelled(&[
        (">", INITIALIZE),
        ("<", AGREED),
        (">", INITIALIZED),
        (">", r#""id":1,"method":"tools/call","params":{"name":"x"}"#),
        ("<", r#""method":"notifications/cancelled","params":{"requestId":1}"#),
        ("<", r#""id":1,"result":{"content":[]}"#),
    ]);
    assert_eq!(run.messages[4].relates_to, None);
    assert!(!run.messages[5].cancelled);
}

#[test]
fn a_request_without_a_usable_id_still_needs_its_capability_and_stays_unanswered() {
    let run = bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":null,"method":"prompts/list""#]);
    assert_eq!(run.messages[3].needs, ["-server.prompts"]);
    assert_eq!(run.summary.unanswered, 1);
    assert_eq!(run.summary.undeclared, 1);
}

#[test]
fn an_answer_before_its_request_takes_target_and_needs_from_it() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":5,"result":{"content":[]}"#,
        r#""id":5,"method":"tools/call","params":{"name":"x"}"#,
    ]);
    assert_eq!(run.messages[3].target.as_deref(), Some("x"));
    assert_eq!(run.messages[3].needs, ["+server.tools"]);
}

#[test]
fn an_answer_without_a_request_is_not_given_to_another_session() {
    let restart = bare(&[
        r#""id":1,"result":{"tools":[]}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":1,"method":"tools/list""#,
        r#""id":1,"result":{"tools":[]}"#,
    ]);
    assert_eq!(restart.messages[0].answers, None);
    assert_eq!(restart.messages[4].answered_by, None);
    assert_eq!(restart.messages[5].answers, Some(5));
    assert!(!restart.messages[5].flags.contains(&"duplicate-answer"));
    // In one session too, the answer behind a request is more likely its own than one before it.
    let stateless = bare(&[
        r#""id":2,"result":{"content":[]}"#,
        &stateless(0, "tools/list"),
        r#""id":0,"result":{"tools":[]}"#,
        &format!(r#""id":2,"method":"tools/call","params":{{"name":"t",{META}}}"#),
        r#""id":2,"result":{"content":[]}"#,
    ]);
    assert_eq!((stateless.messages[0].answers, stateless.messages[4].answers), (None, Some(4)));
}
