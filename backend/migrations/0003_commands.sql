CREATE TABLE "whatsapp_command" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "whatsapp_command_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"whatsapp_id" integer NOT NULL,
	"command" text NOT NULL,
	"argument" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"answer" jsonb,
	"error" text,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "raw_event" ADD COLUMN "waits_for" text;--> statement-breakpoint
ALTER TABLE "whatsapp_command" ADD CONSTRAINT "whatsapp_command_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "whatsapp_command_waiting" ON "whatsapp_command" USING btree ("whatsapp_id","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "raw_event_waiting" ON "raw_event" USING btree ("whatsapp_id","waits_for") WHERE waits_for is not null;--> statement-breakpoint
CREATE INDEX "message_media_pending" ON "message" USING btree ("whatsapp_id","id") WHERE media->>'state' = 'pending' and not from_me;