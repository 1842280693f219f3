CREATE TABLE "contact_redirect" (
	"contact_id" integer NOT NULL,
	"queue_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "contact_redirect_contact_id_queue_id_pk" PRIMARY KEY("contact_id","queue_id")
);
--> statement-breakpoint
CREATE TABLE "schedule_contact" (
	"schedule_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	CONSTRAINT "schedule_contact_schedule_id_contact_id_pk" PRIMARY KEY("schedule_id","contact_id")
);
--> statement-breakpoint
CREATE TABLE "schedule_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedule_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schedule_id" integer NOT NULL,
	"contact_id" integer NOT NULL,
	"ticket_id" integer,
	"message_id" bigint,
	"run_at" timestamp(3) with time zone NOT NULL,
	"was_send" boolean NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedule_tag" (
	"schedule_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	CONSTRAINT "schedule_tag_schedule_id_tag_id_pk" PRIMARY KEY("schedule_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "schedule" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text DEFAULT '' NOT NULL,
	"message" text NOT NULL,
	"recurrence" text NOT NULL,
	"r_value" text DEFAULT '' NOT NULL,
	"send_time" text NOT NULL,
	"send_on" timestamp(3) with time zone,
	"all_contacts" boolean DEFAULT false NOT NULL,
	"whatsapp_id" integer,
	"media_id" text,
	"media_type" text,
	"media_name" text,
	"first_send" boolean DEFAULT false NOT NULL,
	"template" jsonb,
	"next_run_at" timestamp(3) with time zone,
	"last_run_at" timestamp(3) with time zone,
	"enviados" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"user_id" integer,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contact" ADD COLUMN "opted_out_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "contact_redirect" ADD CONSTRAINT "contact_redirect_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_redirect" ADD CONSTRAINT "contact_redirect_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_redirect" ADD CONSTRAINT "contact_redirect_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_contact" ADD CONSTRAINT "schedule_contact_schedule_id_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_contact" ADD CONSTRAINT "schedule_contact_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_log" ADD CONSTRAINT "schedule_log_schedule_id_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_log" ADD CONSTRAINT "schedule_log_contact_id_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."contact"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_log" ADD CONSTRAINT "schedule_log_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_tag" ADD CONSTRAINT "schedule_tag_schedule_id_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedule"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_tag" ADD CONSTRAINT "schedule_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule" ADD CONSTRAINT "schedule_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_contact_contact" ON "schedule_contact" USING btree ("contact_id","schedule_id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_log_once" ON "schedule_log" USING btree ("schedule_id","run_at","contact_id");--> statement-breakpoint
CREATE INDEX "schedule_log_contact" ON "schedule_log" USING btree ("contact_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "schedule_log_ticket" ON "schedule_log" USING btree ("ticket_id");--> statement-breakpoint
CREATE INDEX "schedule_due" ON "schedule" USING btree ("next_run_at") WHERE next_run_at is not null;--> statement-breakpoint
CREATE INDEX "schedule_user" ON "schedule" USING btree ("user_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "message_files" ON "message" USING btree ("contact_id","at" DESC NULLS LAST,"ticket_id" DESC NULLS LAST,"seq" DESC NULLS LAST) WHERE media_id is not null;--> statement-breakpoint
CREATE INDEX "message_links" ON "message" USING btree ("contact_id","at" DESC NULLS LAST,"ticket_id" DESC NULLS LAST,"seq" DESC NULLS LAST) WHERE body ~ 'https?://';