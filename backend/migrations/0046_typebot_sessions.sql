CREATE TABLE "typebot_session" (
	"ticket_id" integer PRIMARY KEY NOT NULL,
	"session_id" text,
	"asked" jsonb,
	"waiting" bigint[] DEFAULT '{}' NOT NULL,
	"call" uuid,
	"goes_on_at" timestamp(3) with time zone,
	"alone" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"renewed" boolean DEFAULT false NOT NULL,
	"touched_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "typebot_session" ADD CONSTRAINT "typebot_session_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "typebot_session_touched" ON "typebot_session" USING btree ("touched_at");