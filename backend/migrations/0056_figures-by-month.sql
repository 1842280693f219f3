-- Without a calendar everything is counted anew at the next start.
DELETE FROM "figure_day";--> statement-breakpoint
DELETE FROM "figure_contact";--> statement-breakpoint
DELETE FROM "figure_change";--> statement-breakpoint
DELETE FROM "figure_calendar";--> statement-breakpoint
CREATE TABLE "figure_message_until" (
	"id" integer PRIMARY KEY NOT NULL,
	"until" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figure_message" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_message_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"quarter" timestamp(3) with time zone NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "figure_contact" DROP CONSTRAINT "figure_contact_once";--> statement-breakpoint
ALTER TABLE "figure_contact" ADD COLUMN "span" text NOT NULL;--> statement-breakpoint
CREATE INDEX "figure_message_quarter" ON "figure_message" USING btree ("quarter");--> statement-breakpoint
CREATE INDEX "figure_contact_most" ON "figure_contact" USING btree ("span","day","opened" DESC NULLS LAST,"contact_id") WHERE span in ('month', 'year');--> statement-breakpoint
CREATE INDEX "figure_contact_most_of_queue" ON "figure_contact" USING btree ("day","queue_id","opened" DESC NULLS LAST,"contact_id") WHERE span = 'month of queue';--> statement-breakpoint
CREATE INDEX "figure_contact_most_of_user" ON "figure_contact" USING btree ("day","user_id","opened" DESC NULLS LAST,"contact_id") WHERE span = 'month of user';--> statement-breakpoint
CREATE INDEX "raw_event_error" ON "raw_event" USING btree ("received_at") WHERE error is not null;--> statement-breakpoint
ALTER TABLE "figure_contact" ADD CONSTRAINT "figure_contact_once" UNIQUE NULLS NOT DISTINCT("span","day","contact_id","queue_id","user_id");--> statement-breakpoint
-- Who stamps a period does so by one calendar until it is committed: whoever lays another one waits for it.
CREATE OR REPLACE FUNCTION ticket_span_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  t ticket%ROWTYPE;
  last ticket_span%ROWTYPE;
  since timestamptz(3) := clock_timestamp();
  made bigint;
BEGIN
  SELECT * INTO t FROM ticket WHERE id = NEW.id;
  SELECT * INTO last FROM ticket_span WHERE ticket_id = NEW.id ORDER BY id DESC LIMIT 1;
  IF t.id IS NULL OR (last.status, last.queue_id, last.user_id) IS NOT DISTINCT FROM (t.status, t.queue_id, t.user_id)
    OR (t.status = 'closed' AND coalesce(last.status, 'closed') = 'closed') THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('work_span'));
  IF last.id IS NULL AND TG_OP = 'INSERT' THEN
    since := CASE t.status WHEN 'open' THEN coalesce(t.accepted_at, t.created_at) ELSE t.created_at END;
  END IF;
  since := greatest(since, last.begun_at);
  UPDATE ticket_span SET ended_at = since, ended_work = work_at(since) WHERE ticket_id = t.id AND ended_at IS NULL;
  INSERT INTO ticket_span (ticket_id, status, queue_id, user_id, begun_at, begun_work, ended_at, ended_work)
  VALUES (t.id, t.status, t.queue_id, t.user_id, since, work_at(since),
    CASE t.status WHEN 'closed' THEN since END, CASE t.status WHEN 'closed' THEN work_at(since) END)
  RETURNING id INTO made;
  IF t.status IN ('open', 'nps', 'closed') THEN
    INSERT INTO ticket_figure (span_id, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work)
    SELECT f.span_id, t.id, f.kind, f.at, f.queue_id, f.user_id, t.whatsapp_id, f.work FROM ticket_figures_of(t.id) f WHERE f.span_id = made;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Messages that come or go so late that they may be counted already. What is younger than a day never is: it costs a comparison.
CREATE FUNCTION figure_message_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted timestamptz;
BEGIN
  SELECT until INTO counted FROM figure_message_until FOR SHARE;
  INSERT INTO figure_message (quarter, n)
  SELECT date_bin('15 minutes', told.at, 'epoch'), told.n FROM (VALUES (OLD.at, -1), (NEW.at, 1)) AS told (at, n) WHERE told.at < counted;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER figure_message_insert AFTER INSERT ON message FOR EACH ROW WHEN (NEW.at < now() - interval '1 day') EXECUTE FUNCTION figure_message_change();--> statement-breakpoint
CREATE TRIGGER figure_message_update AFTER UPDATE OF at ON message FOR EACH ROW WHEN (least(OLD.at, NEW.at) < now() - interval '1 day')
  EXECUTE FUNCTION figure_message_change();--> statement-breakpoint
CREATE TRIGGER figure_message_delete AFTER DELETE ON message FOR EACH ROW WHEN (OLD.at < now() - interval '1 day') EXECUTE FUNCTION figure_message_change();
