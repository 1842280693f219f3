CREATE TABLE "user_substitute" (
	"user_id" integer NOT NULL,
	"queue_id" integer NOT NULL,
	"substitute_id" integer NOT NULL,
	"transfer" boolean DEFAULT false NOT NULL,
	CONSTRAINT "user_substitute_user_id_queue_id_pk" PRIMARY KEY("user_id","queue_id")
);
--> statement-breakpoint
ALTER TABLE "user" ADD COLUMN "awaiting_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "user_substitute" ADD CONSTRAINT "user_substitute_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_substitute" ADD CONSTRAINT "user_substitute_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_substitute" ADD CONSTRAINT "user_substitute_substitute_id_user_id_fk" FOREIGN KEY ("substitute_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_substitute_queue_id_index" ON "user_substitute" USING btree ("queue_id");--> statement-breakpoint
CREATE INDEX "user_substitute_substitute_id_index" ON "user_substitute" USING btree ("substitute_id");