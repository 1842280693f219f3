DROP TABLE "schedule_log" CASCADE;--> statement-breakpoint
ALTER TABLE "schedule" DROP COLUMN "enviados";--> statement-breakpoint
ALTER TABLE "schedule" DROP COLUMN "total";