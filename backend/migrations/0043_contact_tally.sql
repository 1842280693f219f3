CREATE TABLE "contact_tally" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contact_tally_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"is_group" boolean NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
DROP INDEX "contact_name_page";--> statement-breakpoint
CREATE INDEX "contact_by_name" ON "contact" USING btree (search_name collate "C","id");--> statement-breakpoint
CREATE INDEX contact_email_search ON contact USING gin (f_norm(email) public.gin_trgm_ops) WHERE email <> '';--> statement-breakpoint
-- How many contacts there are (those that turned out to be another one do not count). By statement, so that an import of thousands
-- writes one row; a change writes only where it counts.
CREATE OR REPLACE FUNCTION contact_tally_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_tally (is_group, n) SELECT is_group, count(*) FROM fresh WHERE merged_into IS NULL GROUP BY is_group;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION contact_tally_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO contact_tally (is_group, n) SELECT is_group, -count(*) FROM gone WHERE merged_into IS NULL GROUP BY is_group;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION contact_tally_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.merged_into IS NULL THEN INSERT INTO contact_tally (is_group, n) VALUES (OLD.is_group, -1); END IF;
  IF NEW.merged_into IS NULL THEN INSERT INTO contact_tally (is_group, n) VALUES (NEW.is_group, 1); END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION contact_tally_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM contact_tally;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER contact_tally_insert AFTER INSERT ON contact REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION contact_tally_added();--> statement-breakpoint
CREATE TRIGGER contact_tally_delete AFTER DELETE ON contact REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION contact_tally_gone();--> statement-breakpoint
CREATE TRIGGER contact_tally_update AFTER UPDATE ON contact FOR EACH ROW WHEN (
  OLD.is_group IS DISTINCT FROM NEW.is_group OR (OLD.merged_into IS NULL) IS DISTINCT FROM (NEW.merged_into IS NULL)
) EXECUTE FUNCTION contact_tally_changed();--> statement-breakpoint
CREATE TRIGGER contact_tally_truncate AFTER TRUNCATE ON contact FOR EACH STATEMENT EXECUTE FUNCTION contact_tally_emptied();--> statement-breakpoint
INSERT INTO contact_tally (is_group, n) SELECT is_group, count(*) FROM contact WHERE merged_into IS NULL GROUP BY is_group;
