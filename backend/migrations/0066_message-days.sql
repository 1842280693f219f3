CREATE TABLE "figure_message_day" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_message_day_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX "figure_message_day_day" ON "figure_message_day" USING btree ("day","n");--> statement-breakpoint
-- Whatever is written into the quarters is in the days, whoever writes it.
CREATE FUNCTION figure_message_day_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_message_day (day, n)
  SELECT (quarter AT TIME ZONE 'UTC')::date, CASE TG_OP WHEN 'DELETE' THEN -sum(n) ELSE sum(n) END FROM told GROUP BY 1;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER figure_message_added AFTER INSERT ON figure_message REFERENCING NEW TABLE AS told FOR EACH STATEMENT
  EXECUTE FUNCTION figure_message_day_change();--> statement-breakpoint
CREATE TRIGGER figure_message_taken AFTER DELETE ON figure_message REFERENCING OLD TABLE AS told FOR EACH STATEMENT
  EXECUTE FUNCTION figure_message_day_change();--> statement-breakpoint
INSERT INTO figure_message_day (day, n) SELECT (quarter AT TIME ZONE 'UTC')::date, sum(n) FROM figure_message GROUP BY 1;--> statement-breakpoint
-- Messages are counted once they are two hours old: what is younger than one is not, and costs a comparison.
CREATE OR REPLACE TRIGGER figure_message_insert AFTER INSERT ON message FOR EACH ROW WHEN (NEW.at < now() - interval '1 hour')
  EXECUTE FUNCTION figure_message_change();--> statement-breakpoint
CREATE OR REPLACE TRIGGER figure_message_update AFTER UPDATE OF at ON message FOR EACH ROW WHEN (least(OLD.at, NEW.at) < now() - interval '1 hour')
  EXECUTE FUNCTION figure_message_change();--> statement-breakpoint
CREATE OR REPLACE TRIGGER figure_message_delete AFTER DELETE ON message FOR EACH ROW WHEN (OLD.at < now() - interval '1 hour')
  EXECUTE FUNCTION figure_message_change();
