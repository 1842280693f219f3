CREATE TABLE "figure_count" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "figure_count_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"timezone" text NOT NULL,
	"state" text NOT NULL,
	"counted_to" integer DEFAULT 0 NOT NULL,
	"counted_until" integer
);
--> statement-breakpoint
-- The days that are there are the first ones.
INSERT INTO "figure_count" ("timezone", "state") SELECT "timezone", 'current' FROM "figure_calendar";--> statement-breakpoint
DELETE FROM "figure_day" WHERE NOT EXISTS (SELECT 1 FROM "figure_calendar");--> statement-breakpoint
DELETE FROM "figure_contact" WHERE NOT EXISTS (SELECT 1 FROM "figure_calendar");--> statement-breakpoint
DELETE FROM "figure_change" WHERE NOT EXISTS (SELECT 1 FROM "figure_calendar");--> statement-breakpoint
ALTER TABLE "figure_contact" DROP CONSTRAINT "figure_contact_once";--> statement-breakpoint
ALTER TABLE "figure_day" DROP CONSTRAINT "figure_day_once";--> statement-breakpoint
DROP INDEX "figure_contact_most";--> statement-breakpoint
DROP INDEX "figure_contact_most_of_queue";--> statement-breakpoint
DROP INDEX "figure_contact_most_of_user";--> statement-breakpoint
ALTER TABLE "figure_change" ADD COLUMN "generation" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_change" ALTER COLUMN "generation" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "figure_change" ADD COLUMN "ticket_id" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_change" ALTER COLUMN "ticket_id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "figure_contact" ADD COLUMN "generation" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_contact" ALTER COLUMN "generation" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "figure_day" ADD COLUMN "generation" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "figure_day" ALTER COLUMN "generation" DROP DEFAULT;--> statement-breakpoint
CREATE UNIQUE INDEX "figure_count_state" ON "figure_count" USING btree ("state") WHERE state <> 'gone';--> statement-breakpoint
CREATE INDEX "figure_contact_most" ON "figure_contact" USING btree ("generation","span","day","opened" DESC NULLS LAST,"contact_id") WHERE span in ('month', 'year');--> statement-breakpoint
CREATE INDEX "figure_contact_most_of_queue" ON "figure_contact" USING btree ("generation","day","queue_id","opened" DESC NULLS LAST,"contact_id") WHERE span = 'month of queue';--> statement-breakpoint
CREATE INDEX "figure_contact_most_of_user" ON "figure_contact" USING btree ("generation","day","user_id","opened" DESC NULLS LAST,"contact_id") WHERE span = 'month of user';--> statement-breakpoint
ALTER TABLE "figure_contact" ADD CONSTRAINT "figure_contact_once" UNIQUE NULLS NOT DISTINCT("generation","span","day","contact_id","queue_id","user_id");--> statement-breakpoint
ALTER TABLE "figure_day" ADD CONSTRAINT "figure_day_once" UNIQUE NULLS NOT DISTINCT("generation","all_queues","all_users","day","queue_id","user_id","whatsapp_id");--> statement-breakpoint
-- As before, once for every time zone by which days are counted (docs/decisions/0247), with the ticket, by whose id they are counted.
CREATE OR REPLACE FUNCTION figure_ticket_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_change (generation, ticket_id, day, hour, contact_id, queue_id, user_id, whatsapp_id, opened)
  SELECT g.id, ticket, (at AT TIME ZONE g.timezone)::date, extract(hour FROM at AT TIME ZONE g.timezone), contact, queue, person, whatsapp, n
  FROM figure_count g CROSS JOIN (VALUES (OLD.id, OLD.created_at, OLD.contact_id, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1),
    (NEW.id, NEW.created_at, NEW.contact_id, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1)) AS told (ticket, at, contact, queue, person, whatsapp, n)
  WHERE g.state <> 'gone' AND at IS NOT NULL AND (OLD.created_at, OLD.contact_id, OLD.queue_id, OLD.user_id, OLD.whatsapp_id)
    IS DISTINCT FROM (NEW.created_at, NEW.contact_id, NEW.queue_id, NEW.user_id, NEW.whatsapp_id);
  INSERT INTO figure_change (generation, ticket_id, day, queue_id, user_id, whatsapp_id, closed)
  SELECT g.id, ticket, (at AT TIME ZONE g.timezone)::date, queue, person, whatsapp, n
  FROM figure_count g CROSS JOIN (VALUES (OLD.id, CASE OLD.status WHEN 'closed' THEN OLD.closed_at END, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1),
    (NEW.id, CASE NEW.status WHEN 'closed' THEN NEW.closed_at END, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1))
    AS told (ticket, at, queue, person, whatsapp, n)
  WHERE g.state <> 'gone' AND at IS NOT NULL
    AND (CASE OLD.status WHEN 'closed' THEN OLD.closed_at END, OLD.queue_id, OLD.user_id, OLD.whatsapp_id)
    IS DISTINCT FROM (CASE NEW.status WHEN 'closed' THEN NEW.closed_at END, NEW.queue_id, NEW.user_id, NEW.whatsapp_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION figure_work_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_change (generation, ticket_id, day, queue_id, user_id, whatsapp_id, waits, wait_ms, services, service_ms, asked)
  SELECT g.id, ticket, (told.at AT TIME ZONE g.timezone)::date, queue, person, whatsapp, CASE kind WHEN 'wait' THEN n ELSE 0 END,
    CASE kind WHEN 'wait' THEN n * took ELSE 0 END, CASE kind WHEN 'service' THEN n ELSE 0 END, CASE kind WHEN 'service' THEN n * took ELSE 0 END,
    CASE kind WHEN 'survey' THEN n ELSE 0 END
  FROM figure_count g CROSS JOIN (VALUES (OLD.ticket_id, OLD.kind, OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.work, -1),
    (NEW.ticket_id, NEW.kind, NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.work, 1))
    AS told (ticket, kind, at, queue, person, whatsapp, took, n)
  WHERE g.state <> 'gone' AND took IS NOT NULL;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION figure_rating_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO figure_change (generation, ticket_id, day, queue_id, user_id, whatsapp_id, ratings, stars)
  SELECT g.id, ticket, (told.at AT TIME ZONE g.timezone)::date, queue, person, whatsapp, n, n * rate
  FROM figure_count g CROSS JOIN (VALUES (OLD.ticket_id, OLD.at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, OLD.rate, -1),
    (NEW.ticket_id, NEW.at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, NEW.rate, 1)) AS told (ticket, at, queue, person, whatsapp, rate, n)
  WHERE g.state <> 'gone' AND rate IS NOT NULL;
  INSERT INTO figure_change (generation, ticket_id, day, queue_id, user_id, whatsapp_id, answered)
  SELECT g.id, ticket, (told.at AT TIME ZONE g.timezone)::date, queue, person, whatsapp, n
  FROM figure_count g CROSS JOIN (VALUES (OLD.ticket_id, OLD.asked_at, OLD.queue_id, OLD.user_id, OLD.whatsapp_id, -1),
    (NEW.ticket_id, NEW.asked_at, NEW.queue_id, NEW.user_id, NEW.whatsapp_id, 1)) AS told (ticket, at, queue, person, whatsapp, n)
  WHERE g.state <> 'gone' AND at IS NOT NULL;
  RETURN NULL;
END $$;
