CREATE TABLE "digested" (
	"version" text PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "message_unknown" ON "message" USING btree ("id") WHERE media_type = 'unknown';