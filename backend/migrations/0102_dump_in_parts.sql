ALTER TABLE "move_in" ADD COLUMN "file_name" text;--> statement-breakpoint
ALTER TABLE "move_in" ADD COLUMN "file_size" bigint;