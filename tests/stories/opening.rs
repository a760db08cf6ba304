//! How sessions begin, end and follow one another, with a handshake and without.

use super::{AGREED, INITIALIZE, INITIALIZED, REFUSED, assert_told, bare, brief, labelled, stateless};

#[test]
fn a_handshake() {
    let run =
        bare(&[INITIALIZE, AGREED, INITIALIZED, r#""id":1,"method":"tools/list""#, r#""id":1,"result":{"tools":[]}"#]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 1 c>s req tools/list op",
            "5 1 s>c res tools/list op #4",
        ],
    );
    assert_eq!(run.messages[3].needs, ["+server.tools"]);
    assert_eq!(run.messages[4].needs, ["+server.tools"]);
}

#[test]
fn without_initialized_operation_begins_with_an_ordinary_request() {
    let run = bare(&[
        INITIALIZE,
        r#""method":"notifications/message","params":{"level":"info","data":"x"}"#,
        AGREED,
        r#""id":1,"method":"ping""#,
        r#""id":1,"result":{}"#,
        r#""id":2,"method":"prompts/list""#,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c ntf notifications/message init",
            "3 1 s>c res initialize init #1",
            "4 1 c>s req ping init",
            "5 1 s>c res ping init #4",
            "6 1 c>s req prompts/list op",
        ],
    );
    assert_eq!(run.messages[5].needs, ["-server.prompts"]);
}

#[test]
fn a_refused_initialize_is_tried_again_in_the_same_session() {
    let run = bare(&[
        INITIALIZE,
        REFUSED,
        &INITIALIZE.replace("\"id\":0", "\"id\":1"),
        &AGREED.replace("\"id\":0", "\"id\":1"),
        INITIALIZED,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s req initialize init",
            "4 1 s>c res initialize init #3",
            "5 1 c>s ntf notifications/initialized init",
        ],
    );
}

#[test]
fn a_second_initialize_is_a_second_session() {
    let run = bare(&[INITIALIZE, AGREED, INITIALIZED, INITIALIZE, AGREED, r#""id":1,"method":"tools/list""#]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 1 s>c res initialize init #1",
            "3 1 c>s ntf notifications/initialized init",
            "4 2 c>s req initialize init",
            "5 2 s>c res initialize init #4",
            "6 2 c>s req tools/list op",
        ],
    );
}

#[test]
fn a_probe_that_falls_back_is_one_session() {
    let probe = stateless(7, "server/discover");
    let run = bare(&[
        &probe,
        r#""id":7,"error":{"code":-32601,"message":"Method not found"}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req server/discover init",
            "2 1 s>c res server/discover init #1",
            "3 1 c>s req initialize init",
            "4 1 s>c res initialize init #3",
            "5 1 c>s ntf notifications/initialized init",
        ],
    );
    assert_eq!(run.sessions, 1);
}

#[test]
fn a_capture_that_begins_in_the_middle_says_so() {
    let run = bare(&[r#""id":7,"method":"tools/list""#, r#""id":7,"result":{"tools":[]}"#]);
    assert_told(&run, &["1 1 c>s req tools/list op~", "2 1 s>c res tools/list op #1~"]);
    assert_eq!(run.messages[0].needs, ["?server.tools"]);
}

#[test]
fn what_stands_before_an_initialize_that_follows_is_initialization() {
    let run = bare(&[
        r#""id":7,"method":"tools/list""#,
        r#""id":7,"error":{"code":-32600,"message":"not initialized"}"#,
        INITIALIZE,
    ]);
    let told = brief(&run);
    assert_eq!(told, ["1 1 c>s req tools/list init", "2 1 s>c res tools/list init #1", "3 1 c>s req initialize init"]);
}

#[test]
fn sessions_with_names_do_not_mix() {
    let run = labelled(&[
        (">a", INITIALIZE),
        (">b", INITIALIZE),
        ("<b", AGREED),
        ("<a", AGREED),
        (">b", INITIALIZED),
        (">a", r#""id":1,"method":"tools/list""#),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 2 c>s req initialize init",
            "3 2 s>c res initialize init #2",
            "4 1 s>c res initialize init #1",
            "5 2 c>s ntf notifications/initialized init",
            "6 1 c>s req tools/list op",
        ],
    );
}

#[test]
fn sessions_at_once_without_names_are_guessed() {
    let run = labelled(&[
        (">", INITIALIZE),
        (">", INITIALIZE),
        ("<", AGREED),
        ("<", AGREED),
        (">", INITIALIZED),
        (">", INITIALIZED),
    ]);
    assert_told(
        &run,
        &[
            "1 1 c>s req initialize init",
            "2 2 c>s req initialize init",
            "3 1 s>c res initialize init #1~",
            "4 2 s>c res initialize init #2~",
            "5 1 c>s ntf notifications/initialized init~",
            "6 2 c>s ntf notifications/initialized init~",
        ],
    );
}

#[test]
fn a_session_that_was_followed_by_another_gets_no_new_requests() {
    let run = bare(&[
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":8,"method":"tools/call","params":{"name":"never"}"#,
        INITIALIZE,
        AGREED,
        INITIALIZED,
        r#""id":9,"method":"tools/list""#,
    ]);
    assert_eq!(brief(&run)[7], "8 2 c>s req tools/list op");
}
