-- Without a calendar everything is counted anew at the next start.
DELETE FROM "figure_day";--> statement-breakpoint
DELETE FROM "figure_calendar";--> statement-breakpoint
ALTER TABLE "ticket_figure" DROP CONSTRAINT "ticket_figure_pkey";--> statement-breakpoint
ALTER TABLE "ticket_figure" ADD CONSTRAINT "ticket_figure_span_id_kind_pk" PRIMARY KEY("span_id","kind");--> statement-breakpoint
ALTER TABLE "figure_change" ADD COLUMN "asked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_change" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "asked" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "answered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "rates" integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "rating" ADD COLUMN "asked_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "rating_of_user" ON "rating" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "rating_of_queue" ON "rating" USING btree ("queue_id","at","id");--> statement-breakpoint
CREATE INDEX "rating_of_connection" ON "rating" USING btree ("whatsapp_id","at","id");--> statement-breakpoint
CREATE INDEX "rating_low" ON "rating" USING btree ("at","id") WHERE rate <= 3;--> statement-breakpoint
-- As before, and the surveys: one that goes on with another person or queue is one.
CREATE OR REPLACE FUNCTION ticket_figures_of(ticket integer)
RETURNS TABLE (span_id bigint, kind text, at timestamptz, queue_id integer, user_id integer, work bigint) LANGUAGE sql STABLE AS $$
  WITH span AS (
    SELECT s.*, s.ended_work - s.begun_work AS took, lag(s.status) OVER (ORDER BY s.id) AS before,
      count(*) FILTER (WHERE s.status = 'open') OVER earlier AS opened,
      count(*) FILTER (WHERE s.status = 'pending') OVER earlier AS waits,
      sum(s.ended_work - s.begun_work) FILTER (WHERE s.status = 'pending') OVER earlier AS waited,
      count(*) FILTER (WHERE s.status IN ('nps', 'closed')) OVER earlier AS round
    FROM ticket_span s WHERE s.ticket_id = ticket
    WINDOW earlier AS (ORDER BY s.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ), summed AS (
    SELECT s.*, count(*) FILTER (WHERE s.status = 'open') OVER this_round AS accepted,
      sum(s.took) FILTER (WHERE s.status = 'open') OVER this_round AS served
    FROM span s WINDOW this_round AS (PARTITION BY s.round ORDER BY s.id)
  )
  SELECT id, 'wait', begun_at, queue_id, user_id, waited::bigint
  FROM summed WHERE status = 'open' AND opened = 0 AND waits > 0
  UNION ALL
  SELECT id, 'service', begun_at, queue_id, user_id, served::bigint
  FROM summed WHERE status IN ('nps', 'closed') AND before NOT IN ('nps', 'closed') AND accepted > 0
  UNION ALL
  SELECT id, 'survey', begun_at, queue_id, user_id, 0::bigint
  FROM summed WHERE status = 'nps' AND before IS DISTINCT FROM 'nps'
$$;--> statement-breakpoint
-- As before, and surveys.
CREATE OR REPLACE FUNCTION figure_work_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT timezone FROM figure_calendar);
BEGIN
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, waits, wait_ms, services, service_ms, asked)
  SELECT (told.at AT TIME ZONE zone)::date, queue, person, whatsapp, CASE kind WHEN 'wait' THEN n ELSE 0 END,
    CASE kind WHEN 'wait' THEN n * took ELSE 0 END, CASE kind WHEN 'service' THEN n ELSE 0 END, CASE kind WHEN 'service' THEN n * took ELSE 0 END,
    CASE kind WHEN 'survey' THEN n ELSE 0 END
  FROM (VALUES (OLD.kind, OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.work, -1),
    (NEW.kind, NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.work, 1)) AS told (kind, at, queue, person, whatsapp, took, n)
  WHERE zone IS NOT NULL AND took IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
-- As before, and on the day of its survey that it was answered.
CREATE OR REPLACE FUNCTION figure_rating_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT timezone FROM figure_calendar);
BEGIN
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, ratings, stars)
  SELECT (told.at AT TIME ZONE zone)::date, queue, person, whatsapp, n, n * rate
  FROM (VALUES (OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.rate, -1), (NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.rate, 1))
    AS told (at, queue, person, whatsapp, rate, n)
  WHERE zone IS NOT NULL AND rate IS NOT NULL;
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, answered)
  SELECT (told.at AT TIME ZONE zone)::date, queue, person, whatsapp, n
  FROM (VALUES (OLD.asked_at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1), (NEW.asked_at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1))
    AS told (at, queue, person, whatsapp, n)
  WHERE zone IS NOT NULL AND at IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
-- A rating answers the newest survey of its ticket.
CREATE FUNCTION rating_asked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.asked_at := coalesce(NEW.asked_at, (SELECT f.at FROM ticket_figure f
    WHERE f.ticket_id = NEW.ticket_id AND f.kind = 'survey' ORDER BY f.span_id DESC LIMIT 1));
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER rating_asked BEFORE INSERT ON rating FOR EACH ROW EXECUTE FUNCTION rating_asked();--> statement-breakpoint
-- What was asked and answered so far.
INSERT INTO ticket_figure (span_id, ticket_id, kind, at, queue_id, user_id, whatsapp_id, work)
SELECT f.span_id, t.id, f.kind, f.at, f.queue_id, f.user_id, t.whatsapp_id, f.work
FROM (SELECT DISTINCT ticket_id FROM ticket_span WHERE status = 'nps') s JOIN ticket t ON t.id = s.ticket_id
  CROSS JOIN LATERAL ticket_figures_of(t.id) f WHERE f.kind = 'survey';--> statement-breakpoint
UPDATE rating r SET asked_at = (SELECT f.at FROM ticket_figure f
  WHERE f.ticket_id = r.ticket_id AND f.kind = 'survey' AND f.at <= r.at ORDER BY f.span_id DESC LIMIT 1);
