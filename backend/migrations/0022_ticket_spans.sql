CREATE TABLE "ticket_span" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_span_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"status" text NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"begun_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"begun_work" bigint,
	"ended_work" bigint
);
--> statement-breakpoint
ALTER TABLE "ticket_span" ADD CONSTRAINT "ticket_span_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_span_ticket" ON "ticket_span" USING btree ("ticket_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ticket_span_now" ON "ticket_span" USING btree ("ticket_id") WHERE ended_at is null;--> statement-breakpoint
-- What is committed of a ticket's status, queue and person becomes a period (docs/decisions/0175). Deferred to the end of the transaction:
-- what nobody could see in between is no period of its own. The ticket's row is locked, so its periods come one after the other.
CREATE FUNCTION ticket_span_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  t ticket%ROWTYPE;
  last ticket_span%ROWTYPE;
  since timestamptz(3) := clock_timestamp();
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
  UPDATE ticket_span SET ended_at = since WHERE ticket_id = t.id AND ended_at IS NULL;
  INSERT INTO ticket_span (ticket_id, status, queue_id, user_id, begun_at, ended_at)
  VALUES (t.id, t.status, t.queue_id, t.user_id, since, CASE t.status WHEN 'closed' THEN since END);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ticket_span_insert AFTER INSERT ON ticket DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW.status <> 'closed') EXECUTE FUNCTION ticket_span_change();--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ticket_span_update AFTER UPDATE OF status, queue_id, user_id ON ticket DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.queue_id IS DISTINCT FROM NEW.queue_id OR OLD.user_id IS DISTINCT FROM NEW.user_id)
  EXECUTE FUNCTION ticket_span_change();--> statement-breakpoint
-- Tickets that live now: as far back as they say themselves. Since when one is paused nobody wrote down.
INSERT INTO ticket_span (ticket_id, status, queue_id, user_id, begun_at)
SELECT id, status, queue_id, user_id,
  CASE status WHEN 'open' THEN coalesce(accepted_at, created_at) WHEN 'pending' THEN created_at ELSE now() END
FROM ticket WHERE status <> 'closed';
