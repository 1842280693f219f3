CREATE TABLE "quick_answer_use" (
	"user_id" integer NOT NULL,
	"quick_answer_id" integer NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "quick_answer_use_user_id_quick_answer_id_pk" PRIMARY KEY("user_id","quick_answer_id")
);
--> statement-breakpoint
ALTER TABLE "quick_answer" DROP CONSTRAINT "quick_answer_shortcut_unique";--> statement-breakpoint
ALTER TABLE "quick_answer" ADD COLUMN "queue_id" integer;--> statement-breakpoint
ALTER TABLE "quick_answer" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "quick_answer_use" ADD CONSTRAINT "quick_answer_use_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_answer_use" ADD CONSTRAINT "quick_answer_use_quick_answer_id_quick_answer_id_fk" FOREIGN KEY ("quick_answer_id") REFERENCES "public"."quick_answer"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "quick_answer_use_answer" ON "quick_answer_use" USING btree ("quick_answer_id");--> statement-breakpoint
ALTER TABLE "quick_answer" ADD CONSTRAINT "quick_answer_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quick_answer" ADD CONSTRAINT "quick_answer_shortcut" UNIQUE NULLS NOT DISTINCT("shortcut","queue_id","user_id");