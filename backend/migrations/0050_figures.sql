CREATE TABLE "figure_calendar" (
	"id" integer PRIMARY KEY NOT NULL,
	"made_from" text NOT NULL,
	"timezone" text NOT NULL,
	"epoch" timestamp(3) with time zone NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	"counted_to" bigint
);
--> statement-breakpoint
CREATE TABLE "figure_change" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"whatsapp_id" integer NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"closed" integer DEFAULT 0 NOT NULL,
	"waits" integer DEFAULT 0 NOT NULL,
	"wait_ms" bigint DEFAULT 0 NOT NULL,
	"services" integer DEFAULT 0 NOT NULL,
	"service_ms" bigint DEFAULT 0 NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"stars" integer DEFAULT 0 NOT NULL,
	"hour" smallint,
	"contact_id" integer
);
--> statement-breakpoint
CREATE TABLE "figure_contact" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_contact_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"contact_id" integer NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"opened" integer NOT NULL,
	CONSTRAINT "figure_contact_once" UNIQUE NULLS NOT DISTINCT("day","contact_id","queue_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "figure_day" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_day_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"whatsapp_id" integer NOT NULL,
	"opened" integer DEFAULT 0 NOT NULL,
	"closed" integer DEFAULT 0 NOT NULL,
	"waits" integer DEFAULT 0 NOT NULL,
	"wait_ms" bigint DEFAULT 0 NOT NULL,
	"services" integer DEFAULT 0 NOT NULL,
	"service_ms" bigint DEFAULT 0 NOT NULL,
	"ratings" integer DEFAULT 0 NOT NULL,
	"stars" integer DEFAULT 0 NOT NULL,
	"hours" integer[] NOT NULL,
	CONSTRAINT "figure_day_once" UNIQUE NULLS NOT DISTINCT("day","queue_id","user_id","whatsapp_id")
);
--> statement-breakpoint
CREATE TABLE "ticket_figure" (
	"span_id" bigint PRIMARY KEY NOT NULL,
	"ticket_id" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"whatsapp_id" integer NOT NULL,
	"work" bigint
);
--> statement-breakpoint
CREATE TABLE "work_span" (
	"begins" timestamp(3) with time zone PRIMARY KEY NOT NULL,
	"ends" timestamp(3) with time zone NOT NULL,
	"before" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ticket_figure" ADD CONSTRAINT "ticket_figure_span_id_ticket_span_id_fk" FOREIGN KEY ("span_id") REFERENCES "public"."ticket_span"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_figure_ticket" ON "ticket_figure" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "message_at" ON "message" USING btree ("at");--> statement-breakpoint
-- Working milliseconds from the calendar's epoch to an instant; null while there is no calendar (docs/decisions/0224).
CREATE FUNCTION work_at(instant timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT before + (extract(epoch FROM least(instant, ends) - begins) * 1000)::bigint FROM work_span WHERE begins <= instant ORDER BY begins DESC LIMIT 1),
    (SELECT 0 FROM figure_calendar WHERE instant IS NOT NULL))
$$;--> statement-breakpoint
-- What the periods of a ticket add up to, a row for each that begins with an acceptance or a resolving. Time with the bot is no waiting;
-- pauses, waiting in between and the survey are no service; who was never accepted has none.
CREATE FUNCTION ticket_figures_of(ticket integer)
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
$$;--> statement-breakpoint
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
-- The days, by what was and what is: nothing is counted and nothing locked. Until there is a calendar there are no days.
CREATE FUNCTION figure_ticket_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT timezone FROM figure_calendar);
BEGIN
  INSERT INTO figure_change (day, hour, contact_id, queue_id, user_id, whatsapp_id, opened)
  SELECT (at AT TIME ZONE zone)::date, extract(hour FROM at AT TIME ZONE zone), contact, queue, person, whatsapp, n
  FROM (VALUES (OLD.created_at, OLD.contact_id, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1),
    (NEW.created_at, NEW.contact_id, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1)) AS told (at, contact, queue, person, whatsapp, n)
  WHERE zone IS NOT NULL AND at IS NOT NULL AND (OLD.created_at, OLD.contact_id, OLD.queue_id, OLD.user_id, OLD.whatsapp_id)
    IS DISTINCT FROM (NEW.created_at, NEW.contact_id, NEW.queue_id, NEW.user_id, NEW.whatsapp_id);
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, closed)
  SELECT (at AT TIME ZONE zone)::date, queue, person, whatsapp, n
  FROM (VALUES (CASE OLD.status WHEN 'closed' THEN OLD.closed_at END, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1),
    (CASE NEW.status WHEN 'closed' THEN NEW.closed_at END, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1)) AS told (at, queue, person, whatsapp, n)
  WHERE zone IS NOT NULL AND at IS NOT NULL
    AND (CASE OLD.status WHEN 'closed' THEN OLD.closed_at END, OLD.queue_id, OLD.user_id, OLD.whatsapp_id)
    IS DISTINCT FROM (CASE NEW.status WHEN 'closed' THEN NEW.closed_at END, NEW.queue_id, NEW.user_id, NEW.whatsapp_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER figure_ticket_insert AFTER INSERT OR DELETE ON ticket FOR EACH ROW EXECUTE FUNCTION figure_ticket_change();--> statement-breakpoint
CREATE TRIGGER figure_ticket_update AFTER UPDATE ON ticket FOR EACH ROW WHEN (
  OLD.queue_id IS DISTINCT FROM NEW.queue_id OR OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.whatsapp_id IS DISTINCT FROM NEW.whatsapp_id
  OR OLD.created_at IS DISTINCT FROM NEW.created_at OR OLD.contact_id IS DISTINCT FROM NEW.contact_id OR OLD.closed_at IS DISTINCT FROM NEW.closed_at
  OR (OLD.status = 'closed') IS DISTINCT FROM (NEW.status = 'closed')
) EXECUTE FUNCTION figure_ticket_change();--> statement-breakpoint
CREATE FUNCTION figure_work_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT timezone FROM figure_calendar);
BEGIN
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, waits, wait_ms, services, service_ms)
  SELECT (told.at AT TIME ZONE zone)::date, queue, person, whatsapp, CASE kind WHEN 'wait' THEN n ELSE 0 END,
    CASE kind WHEN 'wait' THEN n * took ELSE 0 END, CASE kind WHEN 'service' THEN n ELSE 0 END, CASE kind WHEN 'service' THEN n * took ELSE 0 END
  FROM (VALUES (OLD.kind, OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.work, -1),
    (NEW.kind, NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.work, 1)) AS told (kind, at, queue, person, whatsapp, took, n)
  WHERE zone IS NOT NULL AND took IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER figure_work_change AFTER INSERT OR UPDATE OR DELETE ON ticket_figure FOR EACH ROW EXECUTE FUNCTION figure_work_change();--> statement-breakpoint
CREATE FUNCTION figure_rating_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT timezone FROM figure_calendar);
BEGIN
  INSERT INTO figure_change (day, queue_id, user_id, whatsapp_id, ratings, stars)
  SELECT (told.at AT TIME ZONE zone)::date, queue, person, whatsapp, n, n * rate
  FROM (VALUES (OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.rate, -1), (NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.rate, 1))
    AS told (at, queue, person, whatsapp, rate, n)
  WHERE zone IS NOT NULL AND rate IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER figure_rating_change AFTER INSERT OR UPDATE OR DELETE ON rating FOR EACH ROW EXECUTE FUNCTION figure_rating_change();
