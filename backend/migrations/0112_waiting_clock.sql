-- Who is put back among those who wait, after an answer, waits for a person again from then on; unanswered they wait as they did. With the bot,
-- in the survey and in a group nobody waits for a person; who comes from the bot or out of a pause waits from then on. A closing ends the
-- waiting as an answer does, and a pause does where it is late.
CREATE OR REPLACE FUNCTION ticket_answer_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz(3) := clock_timestamp();
  ended boolean := NEW.status IN ('nps', 'closed');
  served boolean := NEW.status IN ('pending', 'open');
BEGIN
  IF OLD.answer_due_at IS NOT NULL AND (NEW.answered_at IS DISTINCT FROM OLD.answered_at AND coalesce(NEW.answer_since > OLD.answer_since, true)
    OR NEW.answer_since IS NOT NULL AND (ended OR NOT served AND OLD.answer_due_at < moment)) THEN
    INSERT INTO ticket_answer (ticket_id, queue_id, user_id, kind, due_at, at)
    VALUES (NEW.id, OLD.queue_id, coalesce(NEW.user_id, OLD.user_id), CASE WHEN OLD.answered_at IS NULL THEN 'first' ELSE 'later' END,
      OLD.answer_due_at, moment);
  END IF;
  IF ended OR NEW.status = 'bot' OR NEW.is_group THEN
    NEW.answer_since := NULL;
  ELSIF served AND OLD.status = 'paused' AND NEW.answer_since IS NOT NULL THEN
    NEW.answer_since := moment;
  ELSIF served AND OLD.status = 'bot' OR NEW.status = 'pending' AND OLD.status <> 'pending' THEN
    NEW.answer_since := coalesce(NEW.answer_since, moment);
  END IF;
  IF ended THEN
    NEW.answered_at := NULL;
  END IF;
  NEW.answer_due_at := NULL;
  IF NEW.answer_since IS NOT NULL THEN
    -- Whoever lays another calendar waits for who counts by this one.
    PERFORM pg_advisory_xact_lock_shared(hashtext('work_span'));
    NEW.answer_due_at := answer_due(NEW);
  END IF;
  RETURN NEW;
END $$;
