ALTER TABLE "queue" DROP CONSTRAINT "queue_color_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "queue_color" ON "queue" USING btree (lower("color"));