CREATE TABLE "past_queue" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"deleted_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ticket" DROP CONSTRAINT "ticket_queue_id_queue_id_fk";
--> statement-breakpoint
ALTER TABLE "ticket" DROP CONSTRAINT "ticket_user_id_user_id_fk";
--> statement-breakpoint
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket" DROP COLUMN "queue_name";--> statement-breakpoint
ALTER TABLE "ticket" DROP COLUMN "queue_color";--> statement-breakpoint
-- A ticket is put only into a queue that is there, and none comes back to life in one that is not (contract/access: the id of a queue that
-- went is seen by administrators alone).
CREATE FUNCTION ticket_queue_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM queue WHERE id = NEW.queue_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no queue %', NEW.queue_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_queue_insert AFTER INSERT ON ticket FOR EACH ROW WHEN (NEW.queue_id IS NOT NULL) EXECUTE FUNCTION ticket_queue_is_there();--> statement-breakpoint
CREATE TRIGGER ticket_queue_update AFTER UPDATE ON ticket FOR EACH ROW WHEN (NEW.queue_id IS NOT NULL AND (
  OLD.queue_id IS DISTINCT FROM NEW.queue_id OR (OLD.status = 'closed' AND NEW.status <> 'closed'))) EXECUTE FUNCTION ticket_queue_is_there();--> statement-breakpoint
-- A queue goes only when all its tickets are closed; they keep its name and colour.
CREATE FUNCTION queue_goes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM ticket WHERE queue_id = OLD.id AND status IN ('pending', 'open', 'paused', 'bot', 'nps')) THEN
    RAISE EXCEPTION 'queue % has tickets that are not closed', OLD.id USING ERRCODE = 'foreign_key_violation';
  END IF;
  INSERT INTO past_queue (id, name, color) VALUES (OLD.id, OLD.name, OLD.color);
  RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER queue_goes BEFORE DELETE ON queue FOR EACH ROW EXECUTE FUNCTION queue_goes();
