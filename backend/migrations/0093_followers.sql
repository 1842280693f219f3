CREATE TABLE "ticket_follower" (
	"user_id" integer NOT NULL,
	"ticket_id" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_follower_user_id_ticket_id_pk" PRIMARY KEY("user_id","ticket_id")
);
--> statement-breakpoint
ALTER TABLE "ticket_follower" ADD CONSTRAINT "ticket_follower_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_follower" ADD CONSTRAINT "ticket_follower_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_follower_ticket" ON "ticket_follower" USING btree ("ticket_id");--> statement-breakpoint
CREATE FUNCTION ticket_unfollow() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  delete from ticket_follower where ticket_id = new.id and (new.status not in ('pending', 'open', 'paused') or user_id = new.user_id);
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER ticket_unfollow AFTER UPDATE OF status, user_id ON ticket FOR EACH ROW
  WHEN (new.status is distinct from old.status or new.user_id is distinct from old.user_id) EXECUTE FUNCTION ticket_unfollow();
