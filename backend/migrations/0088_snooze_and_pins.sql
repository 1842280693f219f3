CREATE TABLE "ticket_pin" (
	"user_id" integer NOT NULL,
	"ticket_id" integer NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_pin_user_id_ticket_id_pk" PRIMARY KEY("user_id","ticket_id")
);
--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "pause_until" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "ticket" ADD COLUMN "paused_by" integer;--> statement-breakpoint
ALTER TABLE "ticket_pin" ADD CONSTRAINT "ticket_pin_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_pin" ADD CONSTRAINT "ticket_pin_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_pin_ticket" ON "ticket_pin" USING btree ("ticket_id");--> statement-breakpoint
CREATE FUNCTION ticket_unpin() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  delete from ticket_pin where ticket_id = new.id;
  return null;
end $$;--> statement-breakpoint
CREATE TRIGGER ticket_unpin AFTER UPDATE OF status ON ticket FOR EACH ROW
  WHEN (new.status = 'closed' and old.status <> 'closed') EXECUTE FUNCTION ticket_unpin();
