-- `memory_bytes` is the most that was seen at one look, of all instances together: a mean hides what leads to a lack
-- of memory. Until now it was added up over all looks; of those times the mean is what can still be told.

update metric_minutes set memory_bytes = memory_bytes / looks where looks > 0;
update metric_quarters set memory_bytes = memory_bytes / looks where looks > 0;
