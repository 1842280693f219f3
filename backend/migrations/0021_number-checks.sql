CREATE TABLE "number_check" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "number_check_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"whatsapp_id" integer NOT NULL,
	"user_id" integer,
	"number" text NOT NULL,
	"asked_at" timestamp(3) with time zone NOT NULL,
	"is_there" boolean,
	"known_as" text
);
--> statement-breakpoint
ALTER TABLE "number_check" ADD CONSTRAINT "number_check_whatsapp_id_whatsapp_id_fk" FOREIGN KEY ("whatsapp_id") REFERENCES "public"."whatsapp"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_check" ADD CONSTRAINT "number_check_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "number_check_whatsapp_id_asked_at_index" ON "number_check" USING btree ("whatsapp_id","asked_at");--> statement-breakpoint
CREATE INDEX "number_check_user_id_asked_at_index" ON "number_check" USING btree ("user_id","asked_at");--> statement-breakpoint
CREATE INDEX "number_check_whatsapp_id_number_index" ON "number_check" USING btree ("whatsapp_id","number");--> statement-breakpoint
CREATE INDEX "number_check_asked_at_index" ON "number_check" USING btree ("asked_at");