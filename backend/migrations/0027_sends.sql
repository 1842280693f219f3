CREATE TABLE "send_clock" (
	"whatsapp_id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"message_id" bigint
);
--> statement-breakpoint
CREATE TABLE "send_recipient" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "send_recipient_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"send_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"ticket_id" integer,
	"message_id" bigint,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "send" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "send_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"schedule_id" integer,
	"due_at" timestamp(3) with time zone NOT NULL,
	"whatsapp_id" integer,
	"state" text DEFAULT 'calculating' NOT NULL,
	"state_reason" text,
	"body" text NOT NULL,
	"file" jsonb,
	"recipients" jsonb NOT NULL,
	"frozen_to" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"turn_at" timestamp(3) with time zone,
	"user_id" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp(3) with time zone
);
--> statement-breakpoint
ALTER TABLE "send_clock" ADD CONSTRAINT "send_clock_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_recipient" ADD CONSTRAINT "send_recipient_send_id_send_id_fk" FOREIGN KEY ("send_id") REFERENCES "public"."send"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_recipient" ADD CONSTRAINT "send_recipient_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send_recipient" ADD CONSTRAINT "send_recipient_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send" ADD CONSTRAINT "send_schedule_id_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send" ADD CONSTRAINT "send_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "send" ADD CONSTRAINT "send_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "send_recipient_once" ON "send_recipient" USING btree ("send_id","contact_id");--> statement-breakpoint
CREATE INDEX "send_recipient_next" ON "send_recipient" USING btree ("send_id","contact_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "send_recipient_contact" ON "send_recipient" USING btree ("contact_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "send_recipient_ticket" ON "send_recipient" USING btree ("ticket_id");--> statement-breakpoint
CREATE UNIQUE INDEX "send_run" ON "send" USING btree ("schedule_id","due_at");--> statement-breakpoint
CREATE INDEX "send_running" ON "send" USING btree ("whatsapp_id","turn_at") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "send_calculating" ON "send" USING btree ("id") WHERE state = 'calculating';