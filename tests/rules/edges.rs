//! Sessions at the edges of conditions, that no example of a rule comes to: what the rules say of them is kept word for
//! word, each finding read against the pages.

/// What happens, and the session in the notation of the examples.
pub(super) type Case = (&'static str, &'static str);

pub(super) const CASES: &[Case] = &[
    (
        "an annotated parameter that is an object goes into no header",
        r#"C> {"id":1,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"B"}}}}],"ttlMs":1,"cacheScope":"private"}}
C[{"MCP-Protocol-Version":"2026-07-28","Mcp-Method":"tools/call","Mcp-Name":"t","Mcp-Param-B":"x","Mcp-Param-C":"y"}]> {"id":2,"method":"tools/call","params":{"name":"t","arguments":{"a":{"x":1},"b":"x"},"_meta":{"$M":""}}}
C[{"MCP-Protocol-Version":"2026-07-28","Mcp-Method":"tools/call","Mcp-Name":"t","Mcp-Param-A":"{}","Mcp-Param-B":"x"}]> {"id":3,"method":"tools/call","params":{"name":"t","arguments":{"b":null},"_meta":{"$M":""}}}"#,
    ),
    (
        "a stateless server sets a session and numbers its events, twice",
        r#"C[{":stream":"a"}]> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"a",":event-id":"7","Mcp-Session-Id":"s"}]> {"id":1,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
C[{":stream":"b"}]> {"id":2,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"b",":event-id":"8","Mcp-Session-Id":"s"}]> {"id":2,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}"#,
    ),
    (
        "errors of the protocol with status 200, in JSON and on a stream",
        r#"C[{":stream":"a"}]> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"a",":status":"200"}]> {"id":1,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":{}}}}}
C[{":stream":"b","MCP-Protocol-Version":"2026-07-28","Mcp-Method":"prompts/list"}]> {"id":2,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
S[{":stream":"b",":status":"200"}]> {"id":2,"error":{"code":-32602,"message":"no capabilities"}}
C[{":stream":"c"}]> {"id":3,"method":"prompts/get","params":{"name":"p","_meta":{"$M":""}}}
S[{":stream":"c",":status":"200"}]> {"id":3,"error":{"code":-32602,"message":"no such prompt"}}
C[{":stream":"d"}]> {"id":4,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"d",":event-id":"1"}]> {"id":4,"error":{"code":-32601,"message":"none"}}
C[{":stream":"e"}]> {"id":5,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"e",":status":"400"}]> {"id":5,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":{}}}}}"#,
    ),
    (
        "progress comes back on the stream of another call",
        r#"@init 2025-11-25 {} {"tools":{}}
C[{":stream":"a"}]> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1}}}
C[{":stream":"b"}]> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":2}}}
S[{":stream":"b"}]> {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
S[{":stream":"b"}]> {"method":"notifications/progress","params":{"progressToken":2,"progress":1}}
S[{":stream":"b"}]> {"id":2,"result":{"content":[]}}
S[{":stream":"a"}]> {"id":1,"result":{"content":[]}}"#,
    ),
    (
        "the answers of a batch are one event, and the id of another is used again",
        r#"@init 2025-03-26 {} {"tools":{}}
C[{":stream":"a"}]> [{"id":1,"method":"ping"},{"id":2,"method":"ping"}]
S[{":stream":"a",":event-id":"1"}]> [{"id":1,"result":{}},{"id":2,"result":{}}]
C[{":stream":"b"}]> [{"id":3,"method":"ping"},{"id":4,"method":"ping"}]
S[{":stream":"b",":event-id":"1"}]> [{"id":3,"result":{}},{"id":4,"result":{}}]"#,
    ),
    (
        "a server lists a version and offers another one",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
S> {"id":1,"error":{"code":-32022,"message":"version","data":{"requested":"2027-01-01","supported":["2025-06-18","2025-03-26"]}}}
C> {"id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":2,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        "a server lists other versions, and offers one of them",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
S> {"id":1,"error":{"code":-32022,"message":"version","data":{"requested":"2027-01-01","supported":["2025-03-26"]}}}
C> {"id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S> {"id":2,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}"#,
    ),
    (
        "levels of other systems",
        r#"@init 2025-11-25 {} {"logging":{}}
S> {"method":"notifications/message","params":{"level":"trace","data":1}}
S> {"method":"notifications/message","params":{"level":"Information","data":1}}
S> {"method":"notifications/message","params":{"level":"WARN","data":1}}
S> {"method":"notifications/message","params":{"level":"err","data":1}}
S> {"method":"notifications/message","params":{"level":"fatal","data":1}}
S> {"method":"notifications/message","params":{"level":"panic","data":1}}
S> {"method":"notifications/message","params":{"level":"Notice","data":1}}
S> {"method":"notifications/message","params":{"level":"loud","data":1}}"#,
    ),
    (
        "log messages below, at and above the level that was set",
        r#"@init 2025-11-25 {} {"logging":{}}
C> {"id":1,"method":"logging/setLevel","params":{"level":"warning"}}
S> {"method":"notifications/message","params":{"level":"info","data":1}}
S> {"id":1,"result":{}}
S> {"method":"notifications/message","params":{"level":"notice","data":1}}
S> {"method":"notifications/message","params":{"level":"warning","data":1}}
S> {"method":"notifications/message","params":{"level":"error","data":1}}
C> {"id":2,"method":"logging/setLevel","params":{"level":"debug"}}
S> {"id":2,"error":{"code":-32603,"message":"no"}}
S> {"method":"notifications/message","params":{"level":"notice","data":1}}"#,
    ),
    (
        "log messages on the stream of a call that asked for them, and of one that did not",
        r#"C[{":stream":"a"}]> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"","io.modelcontextprotocol/logLevel":"warning"}}}
C[{":stream":"b"}]> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"$M":""}}}
S[{":stream":"a"}]> {"method":"notifications/message","params":{"level":"info","data":1}}
S[{":stream":"a"}]> {"method":"notifications/message","params":{"level":"warning","data":1}}
S[{":stream":"b"}]> {"method":"notifications/message","params":{"level":"error","data":1}}
S[{":stream":"a"}]> {"id":1,"result":{"resultType":"complete","content":[]}}
S[{":stream":"b"}]> {"id":2,"result":{"resultType":"complete","content":[]}}"#,
    ),
    (
        "log messages on a pipe while one of two open requests asks for them, and afterwards",
        r#"C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"$M":"","io.modelcontextprotocol/logLevel":"error"}}}
C> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"$M":"","io.modelcontextprotocol/logLevel":"warning"}}}
S> {"method":"notifications/message","params":{"level":"notice","data":1}}
S> {"method":"notifications/message","params":{"level":"warning","data":1}}
S> {"id":2,"result":{"resultType":"complete","content":[]}}
S> {"method":"notifications/message","params":{"level":"warning","data":1}}
S> {"method":"notifications/message","params":{"level":"error","data":1}}
S> {"id":1,"result":{"resultType":"complete","content":[]}}
S> {"method":"notifications/message","params":{"level":"error","data":1}}"#,
    ),
    (
        "requests without the members of stateless ones, after one that had them",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
C> {"id":2,"method":"prompts/list"}
S> {"id":2,"error":{"code":-32601,"message":"no"}}
C> {"id":3,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
S> {"id":3,"error":{"code":-32600,"message":"no"}}
C> {"id":4,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}
S> {"id":4,"error":{"code":-32602,"message":"no"}}
C> {"id":5,"method":"ping"}
S> {"id":5,"result":{}}
C> {"id":6,"method":"vendor/thing"}
S> {"id":6,"result":{"resultType":"complete"}}
C> {"id":7,"method":"server/discover"}
S> {"id":7,"error":{"code":-32022,"message":"no","data":{"requested":"x","supported":["2026-07-28"]}}}"#,
    ),
    (
        "a server of which nothing is known refuses what lacks the members",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
S> {"id":1,"error":{"code":-32601,"message":"no"}}
C> {"id":2,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
S> {"id":2,"error":{"code":-32600,"message":"no"}}
C> {"id":3,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
S> {"id":3,"error":{"code":-32000,"message":"no"}}"#,
    ),
    (
        "keys of `_meta` with prefixes that are no labels, or are reserved",
        r#"@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/call","params":{"name":"t","_meta":{"1a.b/x":1,"a.b-/x":1,"-a/x":1,"a_b.c/x":1,"a..b/x":1,"a.b/x/y":1,"ab/-x":1,"ab/x-":1,"ab/x y":1,"ab/":1,"a1.b-2/x_y.z":1,"com.mcp/x":1,"mcp.com/x":1,"io.modelcontextprotocol/x":1}}}
S> {"id":1,"result":{"content":[{"type":"text","text":"x","_meta":{"com.mcp/x":1,"1/x":1,"good/x":1}}],"_meta":{"com.mcp/y":1}}}"#,
    ),
    (
        "a reserved key in a message for sampling, where one side declares an extension",
        r#"@init 2025-11-25 {"sampling":{},"extensions":{"a/b":{}}} {}
S> {"id":1,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user","content":{"type":"text","text":"x","_meta":{"com.mcp/x":1}},"_meta":{"com.mcp/y":1}}]}}
@init 2025-11-25 {} {"tools":{},"extensions":{"a/b":{}}}
C> {"id":1,"method":"tools/list","params":{"_meta":{"com.mcp/x":1}}}
@init 2025-06-18 {} {"tools":{}}
C> {"id":1,"method":"tools/list","params":{"_meta":{"mcp.com/x":1,"com.mcp/y":1,"com.mcp.x/y":1,"io.modelcontextprotocol/related-task":1}}}"#,
    ),
    (
        "trace contexts in and out of their formats",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","tracestate":"a=1, ,b=2","baggage":"a=1"}}}
C> {"id":2,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","tracestate":"a=1,b","baggage":"=1"}}}
C> {"id":3,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-00000000000000000000000000000000-00f067aa0ba902b7-01","tracestate":7,"baggage":""}}}
C> {"id":4,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"}}}
C> {"id":5,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x"}}}
C> {"id":6,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x"}}}
C> {"id":7,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}}
C> {"id":8,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"}}}
C> {"id":9,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1"}}}
C> {"id":10,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b-01"}}}
C> {"id":11,"method":"prompts/list","params":{"_meta":{"$M":"","traceparent":"00"}}}"#,
    ),
    (
        "codes of errors in a stateless session",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"tasks":{}},"ttlMs":1,"cacheScope":"private"}}
C> {"id":2,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":2,"error":{"code":-32001,"message":"m"}}
C> {"id":3,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":3,"error":{"code":-32003,"message":"m"}}
C> {"id":4,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":4,"error":{"code":-32004,"message":"m"}}
C> {"id":5,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":5,"error":{"code":-32002,"message":"m"}}
C> {"id":6,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":6,"error":{"code":-32042,"message":"m"}}
C> {"id":7,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":7,"error":{"code":-32020,"message":"m"}}
C> {"id":8,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":8,"error":{"code":-32022,"message":"m","data":{"requested":"2026-07-28","supported":["2026-07-28"]}}}
C> {"id":9,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":9,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":["roots"]}}}
C> {"id":10,"method":"tools/list","params":{"_meta":{"$M":"roots"}}}
S> {"id":10,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":{}}}}}
C> {"id":11,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":11,"error":{"code":-32099,"message":"m"}}
C> {"id":12,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":12,"error":{"code":-32000,"message":"m"}}
C> {"id":13,"method":"resources/read","params":{"uri":"a:b","_meta":{"$M":""}}}
S> {"id":13,"error":{"code":-32002,"message":"m"}}
C> {"id":14,"method":"server/discover","params":{"_meta":{"$M":""}}}
S> {"id":14,"error":{"code":-32601,"message":"m"}}
C> {"id":15,"method":"server/discover","params":{"_meta":{"$M":""}}}
S> {"id":15,"error":{"code":-32603,"message":"m"}}"#,
    ),
    (
        "codes of errors over HTTP in a stateless session",
        r#"C[{":stream":"a"}]> {"id":1,"method":"tools/list","params":{"_meta":{"$M":""}}}
S[{":stream":"a",":status":"400"}]> {"id":1,"error":{"code":-32020,"message":"m"}}
C[{":stream":"b"}]> {"id":2,"method":"server/discover","params":{"_meta":{"$M":""}}}
S[{":stream":"b",":status":"404"}]> {"id":2,"error":{"code":-32601,"message":"m"}}"#,
    ),
    (
        "a server does not know `server/discover`, and shows later that it is stateless by an error",
        r#"C> {"id":1,"method":"server/discover","params":{"_meta":{"$M":""}}}
S> {"id":1,"error":{"code":-32601,"message":"m"}}
C> {"id":2,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":2,"error":{"code":-32021,"message":"m","data":{"requiredCapabilities":{"roots":{}}}}}"#,
    ),
    (
        "a client that declares the tasks of before in each request",
        r#"C> {"id":1,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"tasks":{}}}}}
C> {"id":2,"method":"prompts/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"tasks":{}}}}}"#,
    ),
    (
        "a handshake after stateless work on a transport that was opened anew, and over HTTP",
        r#"C[{":stream":"a"}]> {"id":1,"method":"prompts/list","params":{"_meta":{"$M":""}}}
S[{":stream":"a"}]> {"id":1,"result":{"resultType":"complete","prompts":[],"ttlMs":0,"cacheScope":"private"}}
C[{":stream":"b"}]> {"id":2,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
S[{":stream":"b",":status":"400"}]> {"id":2,"error":{"code":-32602,"message":"no"}}"#,
    ),
    (
        "methods of other revisions, in each direction of time",
        r#"@init 2025-06-18 {"elicitation":{}} {"tasks":{}}
C> {"id":1,"method":"tasks/list"}
C> {"id":2,"method":"tasks/get","params":{"taskId":"x"}}
C> {"id":3,"method":"subscriptions/listen","params":{"notifications":{}}}
C> {"id":4,"method":"server/discover"}
@init 2025-03-26 {} {}
S> {"id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}
C> {"id":2,"method":"ping"}
C> {"id":3,"method":"rpc.discover"}
C> {"id":4,"method":"cancelled"}
C> {"id":5,"method":"tool/list"}
S> {"id":6,"method":"tools/list"}
C> {"id":7,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[]}}"#,
    ),
    (
        "a method that nobody knows, where a side declares something experimental",
        r#"@init 2025-06-18 {"experimental":{"x":{}}} {}
C> {"id":1,"method":"vendor/thing"}
@init 2025-06-18 {} {"experimental":{"x":{}}}
C> {"id":1,"method":"vendor/thing"}
@init 2025-06-18 {} {}
C> {"id":1,"method":"vendor/thing"}"#,
    ),
    (
        "what cannot be seen, in instructions, prompts, resources and templates",
        "C> {\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n\
         S> {\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"prompts\":{},\"resources\":{},\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"},\"instructions\":\"a\\u200bb\"}}\n\
         C> {\"method\":\"notifications/initialized\"}\n\
         C> {\"id\":1,\"method\":\"prompts/list\"}\n\
         S> {\"id\":1,\"result\":{\"prompts\":[{\"name\":\"p\",\"description\":\"a\\u202eb\"}]}}\n\
         C> {\"id\":2,\"method\":\"resources/list\"}\n\
         S> {\"id\":2,\"result\":{\"resources\":[{\"name\":\"r\",\"uri\":\"a:b\",\"description\":\"a\\u2066b\"}]}}\n\
         C> {\"id\":3,\"method\":\"resources/templates/list\"}\n\
         S> {\"id\":3,\"result\":{\"resourceTemplates\":[{\"name\":\"r\",\"uriTemplate\":\"a:{b}\",\"description\":\"a\\udb40\\udc41b\\udb40\\udc42\"}]}}\n\
         C> {\"id\":4,\"method\":\"tools/list\"}\n\
         S> {\"id\":4,\"result\":{\"tools\":[{\"name\":\"t\",\"description\":\"a\\udb40\\udd00b \\u00ad \\ufeff \\u2064\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"u\",\"description\":\"\\ud83d\\udc68\\u200d\\ud83d\\udc69 is a family\",\"inputSchema\":{\"type\":\"object\"}}]}}",
    ),
    (
        "names of tools at their longest, and their duplicates within and across pages",
        r##"@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"⟨128⟩","description":"d","inputSchema":{"type":"object"}},{"name":"⟨129⟩","description":"d","inputSchema":{"type":"object"}},{"name":"","description":"d","inputSchema":{"type":"object"}},{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"t","description":"e","inputSchema":{"type":"object"}}],"nextCursor":"n"}}
C> {"id":2,"method":"tools/list","params":{"cursor":"n"}}
S> {"id":2,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"u","description":"d","inputSchema":{"type":"object"}}]}}
C> {"id":3,"method":"tools/list"}
S> {"id":3,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"u","description":"d","inputSchema":{"type":"object"}}]}}"##,
    ),
    (
        "a list in pages of a stateless server, with a name on both",
        r##"C> {"id":1,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}}],"nextCursor":"n","ttlMs":1,"cacheScope":"private"}}
C> {"id":2,"method":"tools/list","params":{"cursor":"n","_meta":{"$M":""}}}
S> {"id":2,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"u","description":"d","inputSchema":{"type":"object"}}],"ttlMs":1,"cacheScope":"public"}}
C> {"id":3,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":3,"result":{"resultType":"complete","tools":[{"name":"u","description":"d","inputSchema":{"type":"object"}}],"nextCursor":"n","ttlMs":1,"cacheScope":"private"}}
C> {"id":4,"method":"tools/list","params":{"cursor":"n","_meta":{"$M":""}}}
S> {"id":4,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}}],"ttlMs":1,"cacheScope":"private"}}
C> {"id":5,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":5,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}},{"name":"u","description":"d","inputSchema":{"type":"object"}}],"ttlMs":1,"cacheScope":"private"}}"##,
    ),
    (
        "calls of listed and unlisted tools that are refused, fail, or have wrong arguments",
        r##"@init 2025-11-25 {} {"tools":{"listChanged":true}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"t","arguments":{"a":[1,"x"]}}}
S> {"id":2,"error":{"code":-32602,"message":"wrong"}}
C> {"id":3,"method":"tools/call","params":{"name":"u"}}
S> {"id":3,"error":{"code":-32602,"message":"unknown"}}
C> {"id":4,"method":"tools/call","params":{"name":"u"}}
S> {"id":4,"error":{"code":-32603,"message":"unknown"}}
C> {"id":5,"method":"tools/call","params":{"name":"t","arguments":{}}}
S> {"id":5,"error":{"code":-32603,"message":"failed"}}
C> {"id":6,"method":"tools/call","params":{"name":"u"}}
S> {"id":6,"result":{"content":[],"isError":true}}
C> {"id":7,"method":"tools/call","params":{"name":"t","arguments":{"a":["x"]}}}
S> {"id":7,"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}}
S> {"method":"notifications/tools/list_changed"}
C> {"id":8,"method":"tools/call","params":{"name":"t","arguments":{"a":["x"]}}}
S> {"id":8,"result":{"content":[],"isError":true}}
C> {"id":9,"method":"tools/call","params":{"name":"u"}}
S> {"id":9,"error":{"code":-32602,"message":"unknown"}}"##,
    ),
    (
        "wrong arguments are refused before and after failures became results",
        r##"@init 2025-06-18 {} {"tools":{}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":2,"error":{"code":-32602,"message":"wrong"}}"##,
    ),
    (
        "structured content and the texts beside it",
        r##"@init 2025-11-25 {} {"tools":{}}
C> {"id":1,"method":"tools/call","params":{"name":"t"}}
S> {"id":1,"result":{"content":[{"type":"text","text":"{ \"a\" : \"x \\\" y\", \"b\":1}"}],"structuredContent":{"a":"x \" y","b":1}}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":2,"result":{"content":[{"type":"text","text":"{\"a\":\"x\"}"}],"structuredContent":{"a":"y"}}}
C> {"id":3,"method":"tools/call","params":{"name":"t"}}
S> {"id":3,"result":{"content":[{"type":"text","text":"{\"b\":1,\"a\":\"x\"}"}],"structuredContent":{"a":"x","b":1}}}
C> {"id":4,"method":"tools/call","params":{"name":"t"}}
S> {"id":4,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"result":"x"}}}
C> {"id":5,"method":"tools/call","params":{"name":"t"}}
S> {"id":5,"result":{"content":[{"type":"text","text":"7"}],"structuredContent":{"result":7}}}
C> {"id":6,"method":"tools/call","params":{"name":"t"}}
S> {"id":6,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":"x","b":2}}}
C> {"id":7,"method":"tools/call","params":{"name":"t"}}
S> {"id":7,"result":{"content":[{"type":"text","text":"y"}],"structuredContent":{"a":"x"}}}
C> {"id":8,"method":"tools/call","params":{"name":"t"}}
S> {"id":8,"result":{"content":[{"type":"text","text":"[]"}],"structuredContent":{}}}
C> {"id":9,"method":"tools/call","params":{"name":"t"}}
S> {"id":9,"result":{"content":[{"type":"text","text":"{\"a\":{\"b\":1},\"c\":2}"}],"structuredContent":{"a":{"b":1},"c":3}}}
C> {"id":10,"method":"tools/call","params":{"name":"t"}}
S> {"id":10,"result":{"content":[],"structuredContent":{"a":"⟨262160⟩"}}}
C> {"id":11,"method":"tools/call","params":{"name":"t"}}
S> {"id":11,"result":{"content":[],"structuredContent":{"a":"⟨262136⟩"}}}
C> {"id":12,"method":"tools/call","params":{"name":"t"}}
S> {"id":12,"result":{"content":[],"structuredContent":{"a":"⟨262137⟩"}}}"##,
    ),
    (
        "headers for parameters in every place of a schema",
        r##"C> {"id":1,"method":"tools/list","params":{"_meta":{"$M":""}}}
S> {"id":1,"result":{"resultType":"complete","tools":[{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"a"}}},"d":{"type":"array","items":{"type":"string","x-mcp-header":"D"}},"e":{"anyOf":[{"type":"string","x-mcp-header":"E"}]},"f":{"default":{"x-mcp-header":"A"},"const":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":"A"}],"examples":[{"x-mcp-header":"A"}]},"g":{"type":"object","x-mcp-header":"G"},"h":{"type":"boolean","x-mcp-header":"H h"},"i":{"type":"boolean","x-mcp-header":7}}}}],"ttlMs":1,"cacheScope":"private"}}"##,
    ),
    (
        "a tool that has to be a task is run without one",
        r##"@init 2025-11-25 {} {"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/list"}
S> {"id":1,"result":{"tools":[{"name":"t","description":"d","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}}
C> {"id":2,"method":"tools/call","params":{"name":"t"}}
S> {"id":2,"result":{"content":[]}}
C> {"id":3,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":3,"result":{"content":[]}}
C> {"id":4,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":4,"result":{"task":{"taskId":"k","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}}"##,
    ),
    (
        "a task waits for input, and requests and answers name it or not",
        r##"@init 2025-11-25 {"elicitation":{"form":{}},"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}} {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":1,"result":{"task":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
S> {"method":"notifications/tasks/status","params":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"input_required","lastUpdatedAt":"2026-01-01T00:00:01Z"}}
S> {"id":"a","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}
C> {"id":"a","result":{"action":"decline"}}
S> {"id":"b","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
C> {"id":"b","result":{"action":"decline"}}
S> {"id":"c","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
C> {"id":"c","result":{"action":"decline","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
C> {"id":2,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":"d","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}
C> {"id":3,"method":"tools/call","params":{"name":"t"}}
S> {"id":"e","method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}"##,
    ),
    (
        "results of a task, the task looked at afterwards, and one that failed",
        r##"@init 2025-11-25 {"elicitation":{"form":{}},"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}} {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":1,"result":{"task":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
C> {"id":2,"method":"tasks/result","params":{"taskId":"k"}}
C> {"id":3,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":2,"result":{"content":[],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
S> {"id":3,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":4,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":4,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":5,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":5,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:01Z"}}
S> {"method":"notifications/tasks/status","params":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"completed","lastUpdatedAt":"2026-01-01T00:00:02Z"}}
S> {"method":"notifications/tasks/status","params":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"completed","lastUpdatedAt":"2026-01-01T00:00:03Z"}}
C> {"id":6,"method":"tasks/result","params":{"taskId":"k"}}
S> {"id":6,"result":{"content":[],"isError":true,"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
C> {"id":7,"method":"tasks/cancel","params":{"taskId":"k"}}
S> {"id":7,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"cancelled","lastUpdatedAt":"2026-01-01T00:00:04Z"}}"##,
    ),
    (
        "a task is cancelled while it ends",
        r##"@init 2025-11-25 {"elicitation":{"form":{}},"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}} {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":1,"result":{"task":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
C> {"id":2,"method":"tasks/cancel","params":{"taskId":"k"}}
S> {"method":"notifications/tasks/status","params":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"completed","lastUpdatedAt":"2026-01-01T00:00:02Z"}}
S> {"id":2,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"cancelled","lastUpdatedAt":"2026-01-01T00:00:03Z"}}"##,
    ),
    (
        "tasks of the client: their results have the members of their kind",
        r##"@init 2025-11-25 {"elicitation":{"form":{}},"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}} {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
S> {"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"task":{}}}
C> {"id":1,"result":{"task":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"completed","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
S> {"id":2,"method":"tasks/result","params":{"taskId":"k"}}
C> {"id":2,"result":{"role":"user","content":{"type":"text","text":"x"},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
S> {"id":3,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}},"task":{}}}
C> {"id":3,"result":{"task":{"taskId":"l","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"completed","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
S> {"id":4,"method":"tasks/result","params":{"taskId":"l"}}
C> {"id":4,"result":{"content":{},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"k"}}}}
S> {"id":5,"method":"tasks/result","params":{"taskId":"l"}}
C> {"id":5,"result":{"action":"accept","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"l"}}}}
S> {"id":6,"method":"tasks/result","params":{"taskId":"l"}}
C> {"id":6,"result":{"action":"accept"}}"##,
    ),
    (
        "tasks that stand in no list, by the times of both",
        r##"@init 2025-11-25 {"elicitation":{"form":{}},"sampling":{},"tasks":{"requests":{"elicitation":{"create":{}},"sampling":{"createMessage":{}}}}} {"tools":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}
C> {"id":1,"method":"tasks/list"}
S> {"id":1,"result":{"tasks":[]}}
C> {"id":2,"method":"tasks/get","params":{"taskId":"k"}}
S> {"id":2,"result":{"taskId":"k","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":3,"method":"tasks/get","params":{"taskId":"l"}}
S> {"id":3,"result":{"taskId":"l","createdAt":"2026-01-01T00:30:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:30:59Z"}}
C> {"id":4,"method":"tools/call","params":{"name":"t","task":{}}}
S> {"id":4,"result":{"task":{"taskId":"n","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}}
C> {"id":5,"method":"tasks/get","params":{"taskId":"n"}}
S> {"id":5,"result":{"taskId":"n","createdAt":"2026-01-01T00:00:00Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}
C> {"id":6,"method":"tasks/get","params":{"taskId":"o"}}
S> {"id":6,"result":{"taskId":"o","createdAt":"2026-01-01T00:00:04Z","ttl":null,"status":"working","lastUpdatedAt":"2026-01-01T00:00:00Z"}}"##,
    ),
    (
        "answers and progress after a cancellation, with both sides sending",
        r##"@init 2025-11-25 {"roots":{}} {"tools":{}}
S> {"id":1,"method":"roots/list"}
S> {"method":"notifications/cancelled","params":{"requestId":1}}
C> {"id":1,"result":{"roots":[]}}
C> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":1}}}
C> {"method":"notifications/cancelled","params":{"requestId":2}}
S> {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
S> {"id":2,"result":{"content":[]}}
C> {"id":3,"method":"ping"}
S> {"id":3,"result":{}}
C> {"method":"notifications/cancelled","params":{"requestId":3}}
S> {"method":"notifications/cancelled","params":{"requestId":99}}"##,
    ),
    (
        "answers and progress after a cancellation in a stateless session",
        r##"C> {"id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"$M":""}}}
C> {"method":"notifications/cancelled","params":{"requestId":1}}
S> {"id":1,"result":{"resultType":"complete"}}
C> {"id":2,"method":"tools/call","params":{"name":"t","_meta":{"$M":"","progressToken":1}}}
C> {"method":"notifications/cancelled","params":{"requestId":2}}
S> {"method":"notifications/progress","params":{"progressToken":1,"progress":1}}
S> {"id":2,"result":{"resultType":"complete","content":[]}}
C> {"id":3,"method":"tools/call","params":{"name":"t","_meta":{"$M":""}}}
S> {"method":"notifications/cancelled","params":{"requestId":3}}
C> {"id":4,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{"$M":""}}}
S> {"method":"notifications/cancelled","params":{"requestId":4}}
S> {"method":"notifications/cancelled","params":{"requestId":99}}"##,
    ),
];
