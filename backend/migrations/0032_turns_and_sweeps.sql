CREATE TABLE "queue_turn" (
	"queue_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "queue_turn_queue_id_user_id_pk" PRIMARY KEY("queue_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "queue" ADD COLUMN "last_turn" integer;--> statement-breakpoint
ALTER TABLE "queue_turn" ADD CONSTRAINT "queue_turn_queue_id_queue_id_fk" FOREIGN KEY ("queue_id") REFERENCES "public"."queue"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_turn" ADD CONSTRAINT "queue_turn_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "queue_turn_user_id_index" ON "queue_turn" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "ticket_span_waits" ON "ticket_span" USING btree (coalesce(queue_id, 0),"begun_at") WHERE ended_at is null and status = 'pending';--> statement-breakpoint
CREATE INDEX "ticket_span_asked" ON "ticket_span" USING btree ("begun_at") WHERE ended_at is null and status = 'nps';