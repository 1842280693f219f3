ALTER TABLE "contact" ADD COLUMN "search_digits" text DEFAULT '' NOT NULL;--> statement-breakpoint
-- What a search for digits looks at stands in the index of the list too: it walks there and reads nothing else. Who has more numbers than
-- an index holds is marked by a `+` at the end, and looked up.
CREATE FUNCTION contact_digits(digits text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN length(digits) > 400 THEN left(digits, 399) || '+' ELSE coalesce(digits, '') END $$;--> statement-breakpoint
CREATE FUNCTION contact_digits_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed integer[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(DISTINCT m.contact_id) INTO changed FROM made m WHERE m.kind IN ('pn', 'former');
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT g.contact_id) INTO changed FROM gone g WHERE g.kind IN ('pn', 'former');
  ELSE
    SELECT array_agg(DISTINCT b.contact_id) INTO changed
    FROM (SELECT contact_id, kind FROM made UNION ALL SELECT contact_id, kind FROM gone) b WHERE b.kind IN ('pn', 'former');
  END IF;
  IF changed IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE contact c SET search_digits = n.digits
  FROM (
    SELECT w.id, contact_digits(string_agg(i.value, ' ' ORDER BY i.value COLLATE "C")) AS digits
    FROM unnest(changed) w(id) LEFT JOIN contact_identity i ON i.contact_id = w.id AND i.kind IN ('pn', 'former') GROUP BY w.id) n
  WHERE c.id = n.id AND c.search_digits <> n.digits;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER contact_digits_made AFTER INSERT ON contact_identity
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION contact_digits_change();--> statement-breakpoint
CREATE TRIGGER contact_digits_moved AFTER UPDATE ON contact_identity
  REFERENCING OLD TABLE AS gone NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION contact_digits_change();--> statement-breakpoint
CREATE TRIGGER contact_digits_gone AFTER DELETE ON contact_identity
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION contact_digits_change();--> statement-breakpoint
DROP INDEX "contact_by_name";--> statement-breakpoint
UPDATE contact c SET search_digits = n.digits
FROM (
  SELECT contact_id, contact_digits(string_agg(value, ' ' ORDER BY value COLLATE "C")) AS digits
  FROM contact_identity WHERE kind IN ('pn', 'former') GROUP BY contact_id) n
WHERE n.contact_id = c.id;--> statement-breakpoint
CREATE INDEX "contact_by_name" ON "contact" USING btree (search_name collate "C","id") INCLUDE ("search_text","search_digits","is_group") WHERE merged_into is null;--> statement-breakpoint
-- What a transaction adds beyond this it sorts into the index itself, and everybody's live events wait for it: a little at a time.
ALTER INDEX contact_inside_search SET (gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX identity_search SET (gin_pending_list_limit = 256);--> statement-breakpoint
ALTER INDEX contact_name_search SET (gin_pending_list_limit = 256);
