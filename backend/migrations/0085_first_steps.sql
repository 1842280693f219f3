CREATE TABLE "first_steps" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"over_at" timestamp(3) with time zone,
	"trade" text,
	"rows" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "first_steps_one" CHECK ("first_steps"."id" = 1)
);
--> statement-breakpoint
-- Who has messages has begun long ago.
INSERT INTO "first_steps" ("over_at") SELECT now() WHERE EXISTS (SELECT FROM "message");
