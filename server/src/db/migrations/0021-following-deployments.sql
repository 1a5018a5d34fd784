-- When each stage of a deployment's last run began, in order: [{"stage": …, "started_at": …}].
alter table deployments add column stages jsonb not null default '[]';

-- How many lines the log has up to the end of this chunk: whoever follows it is found its place without counting.
alter table deployment_log_chunks add column end_line integer;
update deployment_log_chunks set end_line = counted.end_line
from (
  select deployment_id, number, sum(cardinality(lines)) over (partition by deployment_id order by number) as end_line
  from deployment_log_chunks
) counted
where counted.deployment_id = deployment_log_chunks.deployment_id and counted.number = deployment_log_chunks.number;
alter table deployment_log_chunks alter column end_line set not null;
create index deployment_log_chunks_end on deployment_log_chunks (deployment_id, end_line);
