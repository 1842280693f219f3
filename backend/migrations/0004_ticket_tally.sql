-- The running tally behind the badges (spec 1 §2): every live ticket is one +1 row under its status, queue, person, group and unread;
-- a change that matters for a badge writes −1 and +1. Nothing is counted and nothing is locked; a job folds the rows.
CREATE OR REPLACE FUNCTION ticket_tally_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status <> 'closed' THEN
    INSERT INTO ticket_tally (status, queue_id, user_id, is_group, unread, n)
    VALUES (OLD.status, OLD.queue_id, OLD.user_id, OLD.is_group, OLD.unread_messages > 0, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status <> 'closed' THEN
    INSERT INTO ticket_tally (status, queue_id, user_id, is_group, unread, n)
    VALUES (NEW.status, NEW.queue_id, NEW.user_id, NEW.is_group, NEW.unread_messages > 0, 1);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER ticket_tally_insert AFTER INSERT ON ticket FOR EACH ROW WHEN (NEW.status <> 'closed') EXECUTE FUNCTION ticket_tally_change();--> statement-breakpoint
CREATE TRIGGER ticket_tally_delete AFTER DELETE ON ticket FOR EACH ROW WHEN (OLD.status <> 'closed') EXECUTE FUNCTION ticket_tally_change();--> statement-breakpoint
CREATE TRIGGER ticket_tally_update AFTER UPDATE ON ticket FOR EACH ROW WHEN (
  OLD.status IS DISTINCT FROM NEW.status OR OLD.queue_id IS DISTINCT FROM NEW.queue_id OR OLD.user_id IS DISTINCT FROM NEW.user_id
  OR OLD.is_group IS DISTINCT FROM NEW.is_group OR (OLD.unread_messages > 0) IS DISTINCT FROM (NEW.unread_messages > 0)
) EXECUTE FUNCTION ticket_tally_change();--> statement-breakpoint
INSERT INTO ticket_tally (status, queue_id, user_id, is_group, unread, n)
SELECT status, queue_id, user_id, is_group, unread_messages > 0, count(*) FROM ticket WHERE status <> 'closed' GROUP BY 1, 2, 3, 4, 5;
