CREATE TABLE "whatsapp_count" (
	"whatsapp_id" integer NOT NULL,
	"what" text NOT NULL,
	"hour" timestamp(3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "whatsapp_count_whatsapp_id_what_hour_pk" PRIMARY KEY("whatsapp_id","what","hour")
);
--> statement-breakpoint
CREATE TABLE "whatsapp_status" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "whatsapp_status_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"whatsapp_id" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"code" text,
	"restart" boolean DEFAULT false NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "whatsapp" ADD COLUMN "saved_version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "whatsapp_count" ADD CONSTRAINT "whatsapp_count_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "whatsapp_status" ADD CONSTRAINT "whatsapp_status_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "whatsapp_status_page" ON "whatsapp_status" USING btree ("whatsapp_id","at","id");--> statement-breakpoint
CREATE INDEX "outbox_sent" ON "outbox" USING btree ("whatsapp_id","done_at") WHERE state = 'done' and operation = 'message';--> statement-breakpoint
-- How a connection is doing, whoever writes it down. The connection's row is locked, so its rows come one after the other.
CREATE FUNCTION whatsapp_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR (OLD.status, OLD.trouble ->> 'reason', OLD.trouble ->> 'code')
      IS DISTINCT FROM (NEW.status, NEW.trouble ->> 'reason', NEW.trouble ->> 'code') THEN
    INSERT INTO whatsapp_status (whatsapp_id, status, reason, code, at)
    VALUES (NEW.id, NEW.status, NEW.trouble ->> 'reason', NEW.trouble ->> 'code', clock_timestamp());
  ELSIF OLD.epoch > 0 AND OLD.epoch <> NEW.epoch THEN
    INSERT INTO whatsapp_status (whatsapp_id, status, reason, code, restart, at)
    VALUES (NEW.id, NEW.status, NEW.trouble ->> 'reason', NEW.trouble ->> 'code', true, clock_timestamp());
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER whatsapp_status_insert AFTER INSERT ON whatsapp FOR EACH ROW EXECUTE FUNCTION whatsapp_status_change();--> statement-breakpoint
CREATE TRIGGER whatsapp_status_update AFTER UPDATE OF status, trouble, epoch ON whatsapp FOR EACH ROW EXECUTE FUNCTION whatsapp_status_change();--> statement-breakpoint
INSERT INTO whatsapp_status (whatsapp_id, status, reason, code, at)
SELECT id, status, trouble ->> 'reason', trouble ->> 'code', coalesce((trouble ->> 'since')::timestamptz, now()) FROM whatsapp WHERE deleted_at IS NULL;--> statement-breakpoint
-- There is always one default: where nobody chose, the first.
UPDATE whatsapp SET is_default = true, version = version + 1 WHERE id = (SELECT min(id) FROM whatsapp WHERE deleted_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM whatsapp WHERE is_default AND deleted_at IS NULL);
