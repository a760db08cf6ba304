//! Sessions about what the rules remember: messages that come in another order, are refused, or hold what belongs elsewhere.
//! Kept and read like those of `edges`.

use super::edges::Case;

pub(super) const CASES: &[Case] = &[
    (
        "ids that count down, leave gaps and fill them, and are used again",
        r##"@init 2025-11-25 {} {}
C> {"id":5,"method":"ping"}
C> {"id":6,"method":"ping"}
C> {"id":3,"method":"ping"}
C> {"id":1,"method":"ping"}
C> {"id":4,"method":"ping"}
C> {"id":10,"method":"ping"}
C> {"id":9,"method":"ping"}
C> {"id":-1,"method":"ping"}
C> {"id":"a","method":"ping"}
C> {"id":"1","method":"ping"}
C> {"id":4,"method":"ping"}
C> {"id":9,"method":"ping"}
C> {"id":7,"method":"ping"}
C> {"id":8,"method":"ping"}
C> {"id":10,"method":"ping"}
C> {"id":3,"method":"ping"}
C> {"id":"a","method":"ping"}
C> {"id":-1,"method":"ping"}
C> {"id":0,"method":"ping"}
C> {"id":2,"method":"ping"}
C> {"id":9223372036854775807,"method":"ping"}
C> {"id":9223372036854775807,"method":"ping"}
S> {"id":5,"method":"ping"}"##,
    ),
    (
        "errors that hold what belongs to results change nothing",
        r##"@init 2025-11-25 {"elicitation":{"form":{},"url":{}}} {"tools":{},"prompts":{},"resources":{"subscribe":true},"tasks":{"list":{},"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"error":{"code":1,"message":"m","tools":[{"name":"t","description":"d","inputSchema":{"type":"object","required":["a"]}}],"nextCursor":"c"}}
C> {"id":2,"method":"tools/call","params":{"name":"u"}}
S> {"id":2,"result":{"content":[]}}
C> {"id":3,"method":"tools/call","params":{"name":"t"}}
S> {"id":3,"result":{"content":[]}}
C> {"id":4,"method":"tools/list","params":{"cursor":"c"}}
S> {"id":4,"result":{"tools":[{"name":"t","description":"e","inputSchema":{"type":"object"}}]}}
C> {"id":5,"method":"prompts/list"}
S> {"id":5,"error":{"code":1,"message":"m","prompts":[{"name":"p","arguments":[{"name":"a","required":true}]}]}}
C> {"id":6,"method":"prompts/get","params":{"name":"q"}}
S> {"id":6,"result":{"messages":[]}}
C> {"id":7,"method":"prompts/get","params":{"name":"p"}}
S> {"id":7,"result":{"messages":[]}}
C> {"id":8,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":8,"error":{"code":1,"message":"m","task":{"taskId":"k","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}}
C> {"id":9,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":9,"error":{"code":-32602,"message":"m","taskId":"k","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}
C> {"id":10,"method":"tasks/list"}
S> {"id":10,"error":{"code":1,"message":"m","tasks":[]}}
C> {"id":11,"method":"resources/subscribe","params":{"uri":"a:b"}}
S> {"id":11,"error":{"code":1,"message":"m"}}
S> {"method":"notifications/resources/updated","params":{"uri":"a:b"}}"##,
    ),
    (
        "an `initialize` that is refused, with what an answer has",
        r##"C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":0,"error":{"code":-32602,"message":"m","protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
C> {"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}
C> {"method":"notifications/initialized"}
C> {"id":2,"method":"tools/list"}"##,
    ),
    (
        "errors of a stateless server that hold what belongs to results",
        r##"C> {"id":1,"method":"server/discover","params":{"_meta":{"$M":""}}}
S> {"id":1,"error":{"code":-32603,"message":"m","capabilities":{},"supportedVersions":["2027-01-01"],"resultType":"complete"}}
C> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"$M":"tasks"}}}
S> {"id":2,"error":{"code":-32603,"message":"m","resultType":"task","taskId":"k","status":"completed","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null}}
C> {"id":3,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks"}}}
S> {"id":3,"error":{"code":-32602,"message":"m","taskId":"k","status":"completed","inputRequests":{"a":{"method":"roots/list"}}}}
C> {"id":4,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"a":{"roots":[]}},"_meta":{"$M":"tasks"}}}
S> {"id":4,"error":{"code":-32602,"message":"m"}}
C> {"id":5,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":5,"error":{"code":-32603,"message":"m","nextCursor":"c","cacheScope":"public"}}
C> {"id":6,"method":"prompts/list","params":{"cursor":"c","_meta":{"$M":""}}}
S> {"id":6,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","prompts":[]}}
C> {"id":7,"method":"prompts/get","params":{"name":"p","_meta":{"$M":""}}}
S> {"id":7,"error":{"code":-32603,"message":"m","resultType":"input_required","requestState":"s"}}
C> {"id":8,"method":"prompts/get","params":{"name":"p","requestState":"s","_meta":{"$M":""}}}
S> {"id":8,"result":{"resultType":"complete","messages":[]}}"##,
    ),
    (
        "definitions that change, with calls before and after",
        r##"@init 2025-11-25 {} {"tools":{"listChanged":true}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"u","description":"d","inputSchema":{"type":"object"},"_meta":{"a":1}},{"name":"t","description":"e","inputSchema":{"type":"object"}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":2,"result":{"content":[]}}
C> {"id":3,"method":"tools/list"}
S> {"id":3,"result":{"tools":[{"description":"d","name":"t","inputSchema":{"type":"object"}},{"name":"u","description":"f","inputSchema":{"type":"object"},"_meta":{"a":2}}]}}
C> {"id":4,"method":"tools/call","params":{"name":"u"}}
S> {"id":4,"result":{"content":[]}}
C> {"id":5,"method":"tools/call","params":{"name":"u"}}
S> {"id":5,"result":{"content":[]}}
C> {"id":6,"method":"tools/call","params":{"name":"t"}}
S> {"id":6,"result":{"content":[]}}"##,
    ),
    (
        "tools that are expected, some called and some listed",
        r##"@given expect-tool a
@given expect-tool b
@given expect-tool c
@given expect-tool d
@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"b","description":"d","inputSchema":{"type":"object"}},{"name":"d","description":"d","inputSchema":{"type":"object"}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"c"}}
C> {"id":3,"method":"tools/call","params":{"name":"d"}}"##,
    ),
    (
        "tools that are expected, and a list that is refused",
        r##"@given expect-tool a
@given expect-tool b
@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"error":{"code":1,"message":"m","tools":[{"name":"b","description":"d","inputSchema":{"type":"object"}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"a"}}
C> {"id":3,"method":"tools/call","params":{"name":"a"}}"##,
    ),
    (
        "a client says that its roots have changed, and nobody asks; or somebody asks once",
        r##"@init 2025-11-25 {"roots":{"listChanged":true}} {}
S> {"id":1,"method":"roots/list"}
C> {"id":1,"result":{"roots":[]}}
S> {"id":2,"method":"roots/list"}
C> {"id":2,"result":{"roots":[]}}
C> {"method":"notifications/roots/list_changed"}
S> {"id":3,"method":"roots/list"}
C> {"id":3,"result":{"roots":[]}}
C> {"id":1,"method":"ping"}
S> {"id":4,"method":"roots/list"}
C> {"id":4,"result":{"roots":[]}}
S> {"id":1,"result":{}}
S> {"id":5,"method":"roots/list"}"##,
    ),
    (
        "a call that may become a task, after which the server asks when nothing is open",
        r##"@init 2025-11-25 {"sampling":{}} {"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/call","params":{"name":"t"}}
S> {"id":1,"result":{"content":[]}}
S> {"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
C> {"id":2,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":2,"result":{"task":{"taskId":"k","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}}
S> {"id":2,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
S> {"id":3,"method":"ping"}
C> {"id":3,"result":{}}"##,
    ),
    (
        "sessions in a row that hold one call, and one that holds two",
        r##"@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/list"}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":9,"method":"ping"}
@init 2025-11-25 {} {"tools":{}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
C> {"id":3,"method":"tools/call","params":{"name":"t"}}
@init 2025-11-25 {} {"tools":{}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
@init 2025-11-25 {} {"tools":{}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"other","version":"1"}}}
S> {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
@init 2025-11-25 {} {"tools":{}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}"##,
    ),
    (
        "pages of a list that is asked for by cursors out of order, with another scope each",
        r##"C> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","prompts":[],"nextCursor":"a"}}
C> {"id":2,"method":"prompts/list","params":{"cursor":"a","_meta":{"$M":""}}}
C> {"id":3,"method":"tools/list","params":{"cursor":"a","_meta":{"$M":""}}}
S> {"id":3,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","tools":[]}}
S> {"id":2,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"public","prompts":[],"nextCursor":"b"}}
C> {"id":4,"method":"prompts/list","params":{"cursor":"b","_meta":{"$M":""}}}
S> {"id":4,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","prompts":[]}}
C> {"id":5,"method":"prompts/list","params":{"cursor":"a","_meta":{"$M":""}}}
S> {"id":5,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","prompts":[]}}"##,
    ),
    (
        "elicitations by URL, asked for in a request, in an error, and with ids that are used again",
        r##"@init 2025-11-25 {"elicitation":{"url":{}}} {"tools":{}}
S> {"id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example/a","elicitationId":"e1"}}
C> {"id":1,"result":{"action":"accept"}}
S> {"id":2,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example/a","elicitationId":"e1"}}
C> {"id":2,"result":{"action":"decline"}}
C> {"id":1,"method":"tools/call","params":{"name":"t"}}
S> {"id":1,"error":{"code":-32042,"message":"m","data":{"elicitations":[{"mode":"url","message":"m","url":"https://e.example/b","elicitationId":"e2"},{"mode":"url","message":"n","url":"https://e.example/b","elicitationId":"e1"}]}}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":2,"error":{"code":-32041,"message":"m","data":{"elicitations":[{"mode":"url","message":"m","url":"https://e.example/c","elicitationId":"e3"}]}}}
S> {"method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
S> {"method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}
S> {"method":"notifications/elicitation/complete","params":{"elicitationId":"e2"}}
S> {"method":"notifications/elicitation/complete","params":{"elicitationId":"e3"}}
S> {"id":3,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example/d","elicitationId":"e2"}}
S> {"id":4,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example/d","elicitationId":"e2"}}"##,
    ),
    (
        "a task of the extension asks, is answered, asks under old and new keys, and ends twice",
        r##"C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"tasks,roots"}}}
S> {"id":1,"result":{"resultType":"task","taskId":"k","status":"working","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":2,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":2,"result":{"resultType":"complete","taskId":"k","status":"input_required","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:01Z","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}}}
C> {"id":3,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"a":{"roots":[]},"z":{"roots":[]}},"_meta":{"$M":"tasks,roots"}}}
S> {"id":3,"result":{"resultType":"complete"}}
C> {"id":4,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":4,"result":{"resultType":"complete","taskId":"k","status":"input_required","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:02Z","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"}}}}
C> {"id":5,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"b":{"roots":[]}},"_meta":{"$M":"tasks,roots"}}}
S> {"id":5,"error":{"code":-32602,"message":"m"}}
C> {"id":6,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":6,"result":{"resultType":"complete","taskId":"k","status":"working","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:03Z"}}
C> {"id":7,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":7,"result":{"resultType":"complete","taskId":"k","status":"input_required","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:04Z","inputRequests":{"a":{"method":"roots/list"},"b":{"method":"roots/list"},"c":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}}}
C> {"id":8,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"c":{"role":"user"}},"_meta":{"$M":"tasks,roots"}}}
S> {"id":8,"result":{"resultType":"complete"}}
C> {"id":9,"method":"tasks/cancel","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":9,"result":{"resultType":"complete"}}
C> {"id":10,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":10,"result":{"resultType":"complete","taskId":"k","status":"cancelled","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:05Z"}}
C> {"id":11,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":11,"result":{"resultType":"complete","taskId":"k","status":"working","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:05Z"}}
C> {"id":12,"method":"tasks/get","params":{"taskId":"k","_meta":{"$M":"tasks,roots"}}}
S> {"id":12,"result":{"resultType":"complete","taskId":"k","status":"completed","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:06Z","result":{"content":[]}}}
C> {"id":13,"method":"tasks/update","params":{"taskId":"k","inputResponses":{"c":{"role":"user"}},"_meta":{"$M":"tasks,roots"}}}
C> {"id":14,"method":"tasks/get","params":{"taskId":"unknown","_meta":{"$M":"tasks,roots"}}}
S> {"id":14,"result":{"resultType":"complete","taskId":"unknown","status":"working","createdAt":"2026-01-01T00:00:00Z","ttlMs":null,"lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":15,"method":"tasks/cancel","params":{"taskId":"other","_meta":{"$M":"tasks,roots"}}}
S> {"id":15,"result":{"resultType":"complete"}}"##,
    ),
    (
        "prompts with required arguments, given and not, completed, and after the list has changed",
        r##"@init 2025-11-25 {} {"prompts":{"listChanged":true},"completions":{}}
C> {"id":1,"method":"prompts/list"}
S> {"id":1,"result":{"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b","required":false},{"name":"c"}]},{"name":"q"}]}}
C> {"id":2,"method":"prompts/get","params":{"name":"p","arguments":{"b":"x"}}}
S> {"id":2,"result":{"messages":[]}}
C> {"id":3,"method":"prompts/get","params":{"name":"p"}}
S> {"id":3,"error":{"code":-32602,"message":"m"}}
C> {"id":4,"method":"prompts/get","params":{"name":"p","arguments":{"a":"x"}}}
S> {"id":4,"result":{"messages":[]}}
C> {"id":5,"method":"prompts/get","params":{"name":"q"}}
S> {"id":5,"result":{"messages":[]}}
C> {"id":6,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"r"},"argument":{"name":"a","value":"x"}}}
C> {"id":7,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"r"},"argument":{"name":"a","value":"x"}}}
C> {"id":8,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"x"}}}
S> {"method":"notifications/prompts/list_changed"}
C> {"id":9,"method":"prompts/get","params":{"name":"p"}}
S> {"id":9,"result":{"messages":[]}}
C> {"id":10,"method":"prompts/get","params":{"name":"r"}}"##,
    ),
    (
        "contents of resources with text, with a blob, with both, and with neither; and what is not found",
        r##"@init 2025-11-25 {} {"resources":{}}
C> {"id":1,"method":"resources/read","params":{"uri":"a:b"}}
S> {"id":1,"result":{"contents":[{"uri":"a:b","text":"x"},{"uri":"a:b","blob":"aGk="},{"uri":"a:b","text":"x","blob":"aGk="},{"uri":"a:b"},{"uri":"a:b","blob":"?"}]}}
C> {"id":2,"method":"resources/read","params":{"uri":"a:c"}}
S> {"id":2,"error":{"code":-32602,"message":"m","data":{"uri":"a:c"}}}
C> {"id":3,"method":"resources/read","params":{"uri":"a:d"}}
S> {"id":3,"error":{"code":-32602,"message":"Resource not found"}}
C> {"id":4,"method":"resources/read","params":{"uri":"a:e"}}
S> {"id":4,"error":{"code":-32603,"message":"resource not found"}}
C> {"id":5,"method":"resources/read","params":{"uri":"a:f"}}
S> {"id":5,"error":{"code":0,"message":"no such file"}}"##,
    ),
    (
        "sampling with tools whose results are missing, refused and answered",
        r##"@init 2025-11-25 {"sampling":{"tools":{}}} {}
S> {"id":1,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}}]}]}}
C> {"id":1,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}}
S> {"id":2,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"t","input":{}}]}]}}
C> {"id":2,"error":{"code":-32602,"message":"m"}}
S> {"id":3,"method":"sampling/createMessage","params":{"maxTokens":1,"toolChoice":{"mode":"none"},"tools":[{"name":"t","inputSchema":{"type":"object"}}],"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}}
C> {"id":3,"result":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"b","name":"t","input":{}}]}}
S> {"id":4,"method":"sampling/createMessage","params":{"maxTokens":1,"toolChoice":{"mode":"required"},"tools":[{"name":"t","inputSchema":{"type":"object"}}],"messages":[{"role":"user","content":{"type":"text","text":"x"}}]}}
C> {"id":4,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"x"}}}"##,
    ),
    (
        "icons and addresses with schemes that are refused",
        r##"@init 2025-11-25 {} {"tools":{},"resources":{}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"},"icons":[{"src":"http://e.example/i.png"},{"src":"https://e.example/i.png"},{"src":"data:image/png;base64,AA=="},{"src":"file:///i.png"},{"src":"javascript:x"},{"src":"i.png"},{"src":"1a:b"}]}]}}
C> {"id":2,"method":"resources/list"}
S> {"id":2,"result":{"resources":[{"name":"r","uri":"no uri"},{"name":"r","uri":"a+b-c.d:e"},{"name":"r","uri":":x"},{"name":"r","uri":"1:x"},{"name":"r","uri":"file:///r"}]}}
C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1","icons":[{"src":"http://e.example/i.png"}]}}}
S> {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1","icons":[{"src":"ftp://e.example/i.png"}]}}}"##,
    ),
    (
        "listen streams: acknowledged late, ended, and notifications with other ids",
        r##"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"$M":""}}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/tools/list_changed","params":{}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1.0}}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
S> {"method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/progress","params":{"progressToken":1,"progress":1,"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
S> {"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
C> {"id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["a:b"]},"_meta":{"$M":""}}}
C> {"id":3,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":3,"result":{"resultType":"complete","ttlMs":1,"cacheScope":"private","prompts":[]}}
S> {"method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
S> {"id":2,"error":{"code":-32603,"message":"m"}}
S> {"method":"notifications/resources/updated","params":{"uri":"a:b","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"##,
    ),
    (
        "a value on several lines of one side, between lines of the other, and pieces that come to nothing",
        r##"@init 2025-11-25 {} {}
S> !raw {"jsonrpc":"2.0",
S> !raw "id":1,"method":
C> {"id":1,"method":"ping"}
S> !raw "ping"}
S> !raw {"jsonrpc":"2.0",
S> {"id":1,"result":{}}
S> !raw "id":2,"method":"ping"}
C> !raw {"jsonrpc":"2.0",
C> !raw "id":2,
C> !raw no json
S> !raw [1,
S> !raw 2]"##,
    ),
    (
        "batches of answers and calls, in one part and in two",
        r##"@init 2025-03-26 {"roots":{}} {"tools":{}}
C> [{"id":1,"method":"ping"},{"id":2,"method":"ping"}]
S> [{"id":1,"result":{}},{"id":2,"result":{}}]
C> [{"id":3,"method":"ping"},{"method":"notifications/roots/list_changed"}]
S> {"id":3,"result":{}}
S> {"id":7,"method":"roots/list"}
C> [{"id":7,"result":{"roots":[]}},{"id":4,"method":"ping"},{"id":5,"method":"ping"}]
S> {"error":{"code":-32600,"message":"no batches"}}
C> [{"id":6,"method":"ping"}]
S> {"id":null,"error":{"code":-32600,"message":"no batches"}}
C> {"id":8,"method":"ping"}
S> {"error":{"code":-32600,"message":"what"}}"##,
    ),
    (
        "answers that a capability was not declared for, in forms and by URL",
        r##"@init 2025-11-25 {"elicitation":{}} {"resources":{}}
S> {"id":1,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example","elicitationId":"e"}}
C> {"id":1,"error":{"code":-32602,"message":"m"}}
S> {"id":2,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example","elicitationId":"f"}}
C> {"id":2,"result":{"action":"accept"}}
S> {"id":3,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://e.example","elicitationId":"g"}}
C> {"id":3,"error":{"code":-32601,"message":"m"}}
S> {"id":4,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}
C> {"id":4,"error":{"code":-32602,"message":"m"}}
C> {"id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}
S> {"id":1,"result":{}}
S> {"method":"notifications/resources/updated","params":{"uri":"a:b"}}
C> {"id":2,"method":"resources/read","params":{"uri":"a:b"}}
S> {"id":2,"error":{"code":-32042,"message":"m","data":{"elicitations":[]}}}
C> {"id":3,"method":"resources/list"}
S> {"id":3,"error":{"code":-32601,"message":"m"}}"##,
    ),
    (
        "a handshake whose client works before it is ready, and pings",
        r##"C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"c","version":"1"}}}
S> {"method":"notifications/message","params":{"level":"info","data":1}}
S> {"id":1,"method":"ping"}
S> {"id":2,"method":"roots/list"}
C> {"id":1,"method":"ping"}
C> {"id":2,"method":"tools/list"}
S> {"id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
C> {"id":3,"method":"ping"}
S> {"id":3,"method":"ping"}
C> {"id":4,"method":"tools/list"}
C> {"id":5,"method":"ping"}
C> {"id":6,"method":"tools/list"}
S> {"id":4,"method":"roots/list"}
C> {"id":7,"method":"tools/list"}
C> {"id":8,"method":"tools/list"}
S> {"id":5,"method":"roots/list"}
C> {"method":"notifications/initialized"}
C> {"method":"notifications/initialized"}"##,
    ),
];
