# Counts messages by kind and method: `jq -nr -f count.jq FILE`.
reduce inputs as $m ({};
    .[if $m | has("method") then (if $m | has("id") then "request" else "notification" end) + "," + $m.method
      elif $m | has("error") then "error," else "response," end] += 1)
| to_entries[] | "\(.key),\(.value)"
