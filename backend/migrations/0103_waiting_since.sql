-- Customers who have been waiting since before there were targets (docs/decisions/0317): they wait from now on, who came first before the
-- others, so that nobody is late at once. Whoever was answered since the last closing is promised a later answer.
UPDATE ticket t SET answer_since = now() - waits.place * interval '1 millisecond', answered_at = waits.answered_at
FROM (
  SELECT o.id, answered.at AS answered_at, row_number() OVER (ORDER BY asked.at DESC, o.id DESC) AS place
  FROM ticket o,
    LATERAL (SELECT coalesce(max(s.ended_at), '-infinity') AS at FROM ticket_span s
      WHERE s.ticket_id = o.id AND s.status IN ('nps', 'closed')) ended,
    LATERAL (SELECT max(m.at) AS at FROM message m
      WHERE m.ticket_id = o.id AND m.from_me AND NOT m.automatic AND m.media_type NOT IN ('comment', 'system') AND m.at > ended.at) answered,
    LATERAL (SELECT min(m.at) AS at FROM message m
      WHERE m.ticket_id = o.id AND NOT m.from_me AND m.at > coalesce(answered.at, ended.at)) asked
  WHERE o.status IN ('pending', 'open', 'paused') AND NOT o.is_group AND o.answer_since IS NULL AND o.answered_at IS NULL
    AND asked.at IS NOT NULL
) waits
WHERE t.id = waits.id;
