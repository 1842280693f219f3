ALTER TABLE "media" ADD COLUMN "kept_in" text DEFAULT 'folder' NOT NULL;--> statement-breakpoint
CREATE INDEX "media_waiting" ON "media" USING btree ("id") WHERE kept_in = 'waiting';