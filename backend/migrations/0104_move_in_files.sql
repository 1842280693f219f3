CREATE TABLE "move_in_file" (
	"message_id" bigint PRIMARY KEY NOT NULL,
	"move_in_id" integer NOT NULL,
	"path" text NOT NULL,
	"fault" text
);
--> statement-breakpoint
ALTER TABLE "move_in" ADD COLUMN "files_from" text;--> statement-breakpoint
ALTER TABLE "move_in_file" ADD CONSTRAINT "move_in_file_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "move_in_file" ADD CONSTRAINT "move_in_file_move_in_id_move_in_id_fk" FOREIGN KEY ("move_in_id") REFERENCES "public"."move_in"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "move_in_file_waiting" ON "move_in_file" USING btree ("move_in_id","message_id");