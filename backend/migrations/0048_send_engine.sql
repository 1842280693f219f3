DROP INDEX "send_running";--> statement-breakpoint
ALTER TABLE "whatsapp" ADD COLUMN "daily_cap" integer;--> statement-breakpoint
ALTER TABLE "whatsapp" ADD COLUMN "known_number" text;--> statement-breakpoint
ALTER TABLE "whatsapp" ADD COLUMN "number_since" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "only_working_hours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "state" text;--> statement-breakpoint
ALTER TABLE "schedule" ADD COLUMN "state_user_id" integer;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "state_at" timestamp(3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "state_user_id" integer;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "not_before" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "resumed_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "template" jsonb;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "only_working_hours" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "only_who_wrote" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "frozen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "send" ADD COLUMN "version" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_state_user_id_user_id_fk" FOREIGN KEY ("state_user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send" ADD CONSTRAINT "send_state_user_id_user_id_fk" FOREIGN KEY ("state_user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "send_recipient_latest" ON "send_recipient" USING btree ("send_id","at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE state <> 'waiting';--> statement-breakpoint
CREATE INDEX "send_recipient_handed" ON "send_recipient" USING btree ("at") WHERE state = 'handed';--> statement-breakpoint
CREATE INDEX "send_recipient_message" ON "send_recipient" USING btree ("message_id") WHERE message_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "send_client" ON "send" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "send_going" ON "send" USING btree ("whatsapp_id","turn_at") WHERE state in ('running', 'waiting');--> statement-breakpoint
CREATE INDEX "send_mass" ON "send" USING btree ("id" DESC NULLS LAST) WHERE schedule_id is null;--> statement-breakpoint
-- Since when a connection has the number it has: one it had before and is paired with again is no new one.
CREATE FUNCTION whatsapp_number_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.number IS NOT NULL AND NEW.number IS DISTINCT FROM NEW.known_number THEN
    NEW.known_number := NEW.number;
    NEW.number_since := now();
  END IF;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER whatsapp_number_since BEFORE INSERT OR UPDATE OF number ON whatsapp FOR EACH ROW EXECUTE FUNCTION whatsapp_number_since();--> statement-breakpoint
UPDATE whatsapp SET known_number = number, number_since = created_at WHERE number IS NOT NULL;--> statement-breakpoint
-- Whoever was frozen before was frozen whole.
UPDATE send SET frozen_at = created_at WHERE state <> 'calculating';
