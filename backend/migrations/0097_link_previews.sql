CREATE TABLE "link_preview" (
	"digest" text PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"fetched_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"preview" jsonb
);
--> statement-breakpoint
CREATE INDEX "link_preview_fetched" ON "link_preview" USING btree ("fetched_at");