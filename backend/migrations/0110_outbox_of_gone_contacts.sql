-- A receipt of reading has no message it would go with: where its contact was deleted, it waited for ever.
DELETE FROM outbox o WHERE o.state IN ('queued', 'sending') AND NOT EXISTS (SELECT FROM contact c WHERE c.id = o.contact_id);
