CREATE TABLE "privacy_erasure" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "privacy_erasure_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contact_id" integer NOT NULL,
	"user_id" integer,
	"reason" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"asked_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"started_at" timestamp(3) with time zone,
	"ended_at" timestamp(3) with time zone,
	"traces" jsonb,
	"mark" jsonb,
	"counts" jsonb DEFAULT '{"tickets":0,"messages":0,"files":0,"places":0}'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "privacy_erasure" ADD CONSTRAINT "privacy_erasure_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "privacy_erasure_live" ON "privacy_erasure" USING btree ("contact_id") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "privacy_erasure_due" ON "privacy_erasure" USING btree ("due_at") WHERE state in ('waiting', 'running');--> statement-breakpoint
-- Takes what a regular expression finds out of every text of some pages of a table, whatever columns it has: those of text and JSON that no
-- key is made of. In JSON a number may stand without quotes, so there it becomes 0. Gives how many rows were changed.
CREATE FUNCTION erase_mentions(of_table regclass, pattern text, from_place tid, until_place tid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  changes text;
  wanted text;
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
  EXECUTE format('UPDATE %s SET %s WHERE ctid >= $2 AND ctid < $3 AND (%s)', of_table, changes, wanted)
    USING pattern, from_place, until_place;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END
$$;
