ALTER TABLE "schedule" ADD COLUMN "client_id" text;--> statement-breakpoint
CREATE UNIQUE INDEX "schedule_client" ON "schedule" USING btree ("user_id","client_id");