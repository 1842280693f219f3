CREATE TABLE "message_member" (
	"address" text NOT NULL,
	"message_id" bigint NOT NULL,
	CONSTRAINT "message_member_address_message_id_pk" PRIMARY KEY("address","message_id")
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "member_mentions" jsonb;--> statement-breakpoint
ALTER TABLE "message_member" ADD CONSTRAINT "message_member_message_id_message_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."message"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_member_message" ON "message_member" USING btree ("message_id");--> statement-breakpoint
-- Which messages name somebody by which address. One that is changed goes on naming whom its former words named.
CREATE FUNCTION message_members_stored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message_member (address, message_id)
  SELECT DISTINCT a.address, NEW.id
  FROM jsonb_array_elements(NEW.member_mentions->'members') m(member), jsonb_array_elements_text(m.member->'addresses') a(address)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER message_members_stored AFTER INSERT OR UPDATE OF member_mentions ON message
  FOR EACH ROW WHEN (NEW.member_mentions IS NOT NULL) EXECUTE FUNCTION message_members_stored();--> statement-breakpoint
-- Has the messages written anew that name somebody by one of these addresses: nothing is done here but to see whether there are any. The
-- worker makes its schema when a server first begins, before which nothing comes in.
CREATE FUNCTION rename_members(addresses text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  named text[];
BEGIN
  SELECT array_agg(a.address) INTO named FROM unnest(addresses) a(address)
  WHERE EXISTS (SELECT FROM message_member m WHERE m.address = a.address);
  IF named IS NOT NULL AND to_regnamespace('graphile_worker') IS NOT NULL THEN
    PERFORM graphile_worker.add_job('rename-members', json_build_object('addresses', named), max_attempts => 10);
  END IF;
END $$;--> statement-breakpoint
CREATE FUNCTION contact_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rename_members((SELECT array_agg(kind || ':' || value) FROM contact_identity WHERE contact_id = NEW.id));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION contact_identity_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rename_members((SELECT array_agg(kind || ':' || value) FROM changed));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER contact_renamed AFTER UPDATE OF name, number ON contact
  FOR EACH ROW WHEN (OLD.name IS DISTINCT FROM NEW.name OR OLD.number IS DISTINCT FROM NEW.number) EXECUTE FUNCTION contact_renamed();--> statement-breakpoint
CREATE TRIGGER contact_identity_added AFTER INSERT ON contact_identity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contact_identity_changed();--> statement-breakpoint
CREATE TRIGGER contact_identity_moved AFTER UPDATE ON contact_identity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contact_identity_changed();--> statement-breakpoint
CREATE TRIGGER contact_identity_gone AFTER DELETE ON contact_identity
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contact_identity_changed();
