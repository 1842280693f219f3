CREATE TABLE "webhook_cursor" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"xid" "xid8" NOT NULL,
	"event_id" bigint NOT NULL,
	"connection_states" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_delivery" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" integer NOT NULL,
	"event_id" bigint NOT NULL,
	"lane" text NOT NULL,
	"uid" text DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"tried_at" timestamp(3) with time zone,
	"status" integer,
	"fault" text,
	"milliseconds" integer,
	"answer" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"key" text,
	"lane" text NOT NULL,
	"contact_id" integer,
	"connection_id" integer,
	"queue_id" integer,
	"data" jsonb NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"happened_at" timestamp(3) with time zone NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"address" text NOT NULL,
	"secret_sealed" text NOT NULL,
	"old_secret_sealed" text,
	"old_secret_until" timestamp(3) with time zone,
	"events" text[] NOT NULL,
	"connection_ids" integer[],
	"queue_ids" integer[],
	"fields" text[] NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"stop_reason" text,
	"stopped_at" timestamp(3) with time zone,
	"since" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"position" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp(3) with time zone,
	"retry_at" timestamp(3) with time zone,
	"busy_until" timestamp(3) with time zone,
	"turn" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"version" bigint DEFAULT 1 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_webhook_id_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhook"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_event"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_delivery_page" ON "webhook_delivery" USING btree ("webhook_id","id");--> statement-breakpoint
CREATE INDEX "webhook_delivery_pending" ON "webhook_delivery" USING btree ("webhook_id","lane","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_delivery_event" ON "webhook_delivery" USING btree ("event_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_event_key" ON "webhook_event" USING btree ("key") WHERE key is not null;--> statement-breakpoint
CREATE INDEX "webhook_event_age" ON "webhook_event" USING btree ("created_at");