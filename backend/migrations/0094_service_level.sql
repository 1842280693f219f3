CREATE TABLE "ticket_answer" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_answer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"queue_id" integer,
	"user_id" integer,
	"kind" text NOT NULL,
	"due_at" timestamp(3) with time zone NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "queue" ADD COLUMN "first_answer_minutes" integer;--> statement-breakpoint
ALTER TABLE "queue" ADD COLUMN "answer_minutes" integer;--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "answer_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "answered_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "answer_due_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "ticket_answer" ADD CONSTRAINT "ticket_answer_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_answer_ticket" ON "ticket_answer" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "ticket_answer_at" ON "ticket_answer" USING btree ("at","queue_id","user_id","kind","due_at");--> statement-breakpoint
-- When so many working minutes have passed since an instant: the inverse of `work_at`. Null without a calendar, without working hours, and
-- where that is further ahead than the calendar is laid.
CREATE FUNCTION work_after(instant timestamptz, minutes integer) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT s.begins + make_interval(secs => (w.at - s.before) / 1000.0)
  FROM (SELECT work_at(instant) + minutes * 60000::bigint AS at) w,
    LATERAL (SELECT * FROM work_span WHERE before < w.at ORDER BY before DESC LIMIT 1) s
  WHERE s.begins + make_interval(secs => (w.at - s.before) / 1000.0) <= s.ends
$$;--> statement-breakpoint
-- Until when the answer to a ticket is due (docs/decisions/0317).
CREATE FUNCTION answer_due(t ticket) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT work_after(t.answer_since, CASE WHEN t.answered_at IS NULL THEN q.first_answer_minutes ELSE q.answer_minutes END)
  FROM queue q WHERE q.id = t.queue_id AND t.status IN ('pending', 'open') AND t.answer_since IS NOT NULL AND NOT t.is_group
$$;--> statement-breakpoint
-- With the bot, in the survey and in a group nobody waits for a person; who comes from the bot or out of a pause waits from then on. A
-- closing ends the waiting as an answer does, and a pause does where it is late.
CREATE FUNCTION ticket_answer_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3) := clock_timestamp();
  ended boolean := NEW.status IN ('nps', 'closed');
  served boolean := NEW.status IN ('pending', 'open');
BEGIN
  IF OLD.answer_due_at IS NOT NULL AND (NEW.answered_at IS DISTINCT FROM OLD.answered_at AND coalesce(NEW.answer_since > OLD.answer_since, true)
    OR NEW.answer_since IS NOT NULL AND (ended OR NOT served AND OLD.answer_due_at < moment)) THEN
    INSERT INTO ticket_answer (ticket_id, queue_id, user_id, kind, due_at, at)
    VALUES (NEW.id, OLD.queue_id, coalesce(NEW.user_id, OLD.user_id), CASE WHEN OLD.answered_at IS NULL THEN 'first' ELSE 'later' END,
      OLD.answer_due_at, moment);
  END IF;
  IF ended OR NEW.status = 'bot' OR NEW.is_group THEN
    NEW.answer_since := NULL;
  ELSIF served AND OLD.status = 'paused' AND NEW.answer_since IS NOT NULL THEN
    NEW.answer_since := moment;
  ELSIF served AND (OLD.status = 'bot' OR OLD.status IN ('nps', 'closed') AND NEW.status = 'pending') THEN
    NEW.answer_since := coalesce(NEW.answer_since, moment);
  END IF;
  IF ended THEN
    NEW.answered_at := NULL;
  END IF;
  NEW.answer_due_at := NULL;
  IF NEW.answer_since IS NOT NULL THEN
    -- Whoever lays another calendar waits for who counts by this one.
    PERFORM pg_advisory_xact_lock_shared(hashtext('work_span'));
    NEW.answer_due_at := answer_due(NEW);
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_answer_change BEFORE UPDATE OF status, queue_id, answer_since, answered_at ON ticket FOR EACH ROW
  WHEN ((NEW.status, NEW.queue_id, NEW.answer_since, NEW.answered_at) IS DISTINCT FROM (OLD.status, OLD.queue_id, OLD.answer_since, OLD.answered_at))
  EXECUTE FUNCTION ticket_answer_change();
