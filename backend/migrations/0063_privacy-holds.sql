ALTER TABLE "privacy_erasure" ADD COLUMN "held" text;--> statement-breakpoint
CREATE INDEX "log_forward" ON "log_entry" USING btree ((params->>'from')) WHERE action = 'message.forward';--> statement-breakpoint
DROP FUNCTION erase_mentions(regclass, text, tid, tid);--> statement-breakpoint
-- Takes what a regular expression finds out of every text of some pages of a table, whatever columns it has: those of text and JSON that no
-- key is made of. In JSON a number may stand without quotes, so there it becomes 0. Rows that came at `before` or later stay as they are, in
-- tables that know when a row came. Gives how many rows were changed.
CREATE FUNCTION erase_mentions(of_table regclass, pattern text, before timestamptz, from_place tid, until_place tid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  changes text;
  wanted text;
  came text;
  changed bigint;
BEGIN
  SELECT
    string_agg(CASE WHEN t.typname IN ('json', 'jsonb')
      THEN format('%1$I = regexp_replace(%1$I::text, $1, ''0'', ''g'')::%2$s', a.attname, t.typname)
      ELSE format('%1$I = regexp_replace(%1$I, $1, ''…'', ''g'')', a.attname) END, ', '),
    string_agg(format('%I::text ~ $1', a.attname), ' or ')
  INTO changes, wanted
  FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = of_table AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND t.typname IN ('text', 'varchar', 'json', 'jsonb')
    AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = of_table AND i.indisunique AND a.attnum = ANY (i.indkey));
  IF changes IS NULL THEN
    RETURN 0;
  END IF;
  SELECT format('%I', a.attname) INTO came
  FROM unnest(ARRAY['created_at', 'received_at', 'told_at', 'asked_at', 'at']) WITH ORDINALITY AS known(name, place)
    JOIN pg_attribute a ON a.attname = known.name
  WHERE a.attrelid = of_table AND a.atttypid = 'timestamptz'::regtype AND NOT a.attisdropped
  ORDER BY known.place LIMIT 1;
  EXECUTE format('UPDATE %s SET %s WHERE ctid >= $2 AND ctid < $3 AND %s AND (%s)', of_table, changes,
    CASE WHEN came IS NULL THEN '$4 IS NOT NULL' ELSE came || ' < $4' END, wanted)
    USING pattern, from_place, until_place, before;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;
